from .model import WaveTagger
from .data import load_split
