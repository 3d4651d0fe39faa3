from .config import Config
from .data import load_arm_data
from .model import ArmSurrogate

__all__ = ["Config", "load_arm_data", "ArmSurrogate"]
