from .metrics import ndcg
from .scorer import Scorer, listwise_loss
from .stopping import Patience
