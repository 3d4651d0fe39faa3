from .graph import Graph, citation_like
from .layers import GCN
from .options import Options

__all__ = ["Graph", "citation_like", "GCN", "Options"]
