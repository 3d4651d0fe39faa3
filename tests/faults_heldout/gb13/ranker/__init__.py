from .losses import pairwise_logistic
from .model import TwoTower
from .interactions import build_interactions, sample_triples
from .metrics import auc, hit_rate
