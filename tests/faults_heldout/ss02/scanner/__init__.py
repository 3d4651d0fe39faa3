from .net import GlyphNet
from .store import load_split
