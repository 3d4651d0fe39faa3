from .data import load_ratings
from .model import RatingModel
from .optim import make_optimizer

__all__ = ["load_ratings", "RatingModel", "make_optimizer"]
