from .data import Ratings
from .towers import TwoTower

__all__ = ["Ratings", "TwoTower"]
