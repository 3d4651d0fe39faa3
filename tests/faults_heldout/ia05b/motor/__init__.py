from .clips import ClipTable
from .model import MotorNet

__all__ = ["ClipTable", "MotorNet"]
