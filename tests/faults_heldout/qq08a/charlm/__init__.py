from .text import Corpus
from .net import WindowLM
from .bank import SnapshotBank
