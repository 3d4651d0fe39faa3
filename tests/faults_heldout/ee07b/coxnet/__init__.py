from .callbacks import EarlyStop, Printer
from .engine import Engine
from .losses import cox_nll
from .metrics import concordance

__all__ = ["EarlyStop", "Printer", "Engine", "cox_nll", "concordance"]
