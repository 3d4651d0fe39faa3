from .encoder import VibrationEncoder, Head
from .data import load_split
from .io import restore_encoder
