from .layers import RelationalConv
from .net import AreaNet
from .optim import make_optimizer
