from .lion import Lion
from .loop import Trainer
from .model import BuildingNet, JointLoss
from .windows import build_sets
