from .data import CallData
from .losses import gaussian_nll
from .model import SeqForecaster

__all__ = ["CallData", "SeqForecaster", "gaussian_nll"]
