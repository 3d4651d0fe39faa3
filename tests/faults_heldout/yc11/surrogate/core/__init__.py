from .spec import load_spec
from .trainer import Trainer

__all__ = ["Trainer", "load_spec"]
