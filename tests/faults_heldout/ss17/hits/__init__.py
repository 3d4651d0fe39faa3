from .model import HitNet
from .data import make_loaders
