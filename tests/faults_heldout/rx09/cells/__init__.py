from .dataset import PatchDataset, load_split
from .network import PatchNet

__all__ = ["PatchDataset", "PatchNet", "load_split"]
