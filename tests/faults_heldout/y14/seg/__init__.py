from .dataset import CellSet
from .net import MiniUNet

__all__ = ["CellSet", "MiniUNet"]
