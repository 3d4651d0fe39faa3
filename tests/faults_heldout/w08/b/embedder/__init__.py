from .model import Embedder
from .objective import supcon

__all__ = ["Embedder", "supcon"]
