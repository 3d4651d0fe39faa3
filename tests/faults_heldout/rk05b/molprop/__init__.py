from .graphs import GraphSet, collate
from .mpnn import Mpnn
