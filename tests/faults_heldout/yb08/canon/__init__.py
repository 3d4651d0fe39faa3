from .data import BasketStream
from .model import CanonNet
