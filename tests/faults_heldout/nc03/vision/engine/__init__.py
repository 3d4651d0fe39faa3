from .callbacks import build_callbacks
from .optim import build_optimizer, build_scheduler
from .trainer import Trainer

__all__ = ["Trainer", "build_callbacks", "build_optimizer", "build_scheduler"]
