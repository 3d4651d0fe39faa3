from .data import load_splits, iterate
from .model import RowFormer, RowFormerConfig

__all__ = ["load_splits", "iterate", "RowFormer", "RowFormerConfig"]
