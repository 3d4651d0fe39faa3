from .loop import Trainer
from .optim import build_optimizer, build_schedule

__all__ = ["Trainer", "build_optimizer", "build_schedule"]
