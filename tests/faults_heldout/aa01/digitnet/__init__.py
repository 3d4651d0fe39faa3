from .model import DigitNet
from .data import build_loaders
