from .data import PumpData
from .model import MultiGate
from .trainer import Trainer
