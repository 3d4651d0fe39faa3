from .deepsets import DeepSets
from .losses import LogCosh
from .reader import JetReader

__all__ = ["DeepSets", "JetReader", "LogCosh"]
