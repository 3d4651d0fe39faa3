from .transforms import build
from .data import CallDataset, load_calls
from .net import CallNet
