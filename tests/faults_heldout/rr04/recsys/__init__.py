from .dataset import RatingTable
from .model import BiasedMF
