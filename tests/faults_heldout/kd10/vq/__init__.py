from .codebook import Codebook
from .model import VQAutoencoder
