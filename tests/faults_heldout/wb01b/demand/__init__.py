from .data import build_loaders, load_series
from .engine import Trainer
from .net import TemporalNet

__all__ = ["build_loaders", "load_series", "Trainer", "TemporalNet"]
