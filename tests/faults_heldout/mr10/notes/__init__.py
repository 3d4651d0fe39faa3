from .dataset import MelodyDataset, N_SYMBOLS
from .decoder import MelodyTransformer
