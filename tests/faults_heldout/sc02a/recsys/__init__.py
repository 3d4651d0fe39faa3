from .data import load_ratings
from .engine import Engine
from .model import BiasedMF
