from .graph import load_graph
from .layers import GCN

__all__ = ["load_graph", "GCN"]
