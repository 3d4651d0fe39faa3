from .graph import build_graph
from .layers import GCN

__all__ = ["build_graph", "GCN"]
