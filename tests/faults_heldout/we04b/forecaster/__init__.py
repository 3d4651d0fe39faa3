from .data import LoadData
from .model import Seq2Horizon

__all__ = ["LoadData", "Seq2Horizon"]
