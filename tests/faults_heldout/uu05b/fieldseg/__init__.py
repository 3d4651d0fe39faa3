from .network import SegNet
from .tiles import Tiles

__all__ = ["SegNet", "Tiles"]
