from .callbacks import build_callbacks
from .trainer import FlowTrainer

__all__ = ["FlowTrainer", "build_callbacks"]
