from .config import Config
from .engine import Engine
