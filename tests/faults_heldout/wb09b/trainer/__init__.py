from .callbacks import BestWeights, EarlyStop
from .loop import fit

__all__ = ["BestWeights", "EarlyStop", "fit"]
