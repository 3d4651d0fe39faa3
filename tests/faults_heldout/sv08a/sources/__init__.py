from .settings import load_settings
from .task import Grammar, Sequences
from .net import Encoder
