from .classifier import PromoterClassifier
from .encoder import Encoder

__all__ = ["Encoder", "PromoterClassifier"]
