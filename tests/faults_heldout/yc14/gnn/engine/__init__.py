from .core import Engine
from .hooks import Accumulation, ConsoleLogger, CosineDecay, GradientClip, Hook

__all__ = ["Accumulation", "ConsoleLogger", "CosineDecay", "Engine", "GradientClip", "Hook"]
