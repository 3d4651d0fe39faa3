from .data import Searches, load_columns
from .listnet import OfferScorer
from .metrics import ndcg, top1

__all__ = ["Searches", "OfferScorer", "load_columns", "ndcg", "top1"]
