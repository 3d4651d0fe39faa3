from .cohort import Cohort
from .model import FeatureNet
from .metrics import auroc, brier

__all__ = ["Cohort", "FeatureNet", "auroc", "brier"]
