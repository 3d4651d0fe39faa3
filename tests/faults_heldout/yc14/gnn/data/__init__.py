from .batching import GraphBatch, batch_graphs
from .families import GraphFamilies

__all__ = ["GraphBatch", "GraphFamilies", "batch_graphs"]
