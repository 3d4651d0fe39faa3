from .model import Factorizer
from .setup import parse_dtype, to_device
