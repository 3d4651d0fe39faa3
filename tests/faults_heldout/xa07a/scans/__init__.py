from .dataset import ScanDataset
from .net import SmallCNN
from .loop import fit
