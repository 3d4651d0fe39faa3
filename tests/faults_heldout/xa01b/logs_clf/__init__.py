from .model import SessionClassifier
from .data import load_split, batches

__all__ = ["SessionClassifier", "load_split", "batches"]
