from .data import Plays
from .model import BPR
from .train import fit
