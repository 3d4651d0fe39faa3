from .interactions import Interactions
from .negatives import NegativeSampler

__all__ = ["Interactions", "NegativeSampler"]
