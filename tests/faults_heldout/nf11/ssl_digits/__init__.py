from .augment import two_views
from .encoder import Encoder, Projector
from .objective import nt_xent

__all__ = ["two_views", "Encoder", "Projector", "nt_xent"]
