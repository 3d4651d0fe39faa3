from .dataset import load_windows
from .net import ActivityNet

__all__ = ["load_windows", "ActivityNet"]
