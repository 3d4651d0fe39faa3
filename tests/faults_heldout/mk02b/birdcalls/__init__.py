from .config import Config
from .records import Recordings, split
from .net import CallNet
