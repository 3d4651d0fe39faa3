from .arm import Arm
from .mixture import MixtureHead, nll
from .policy import IKNet

__all__ = ["Arm", "IKNet", "MixtureHead", "nll"]
