import numpy as np
import torch


class CitationGraph:
    """Node features, labels, normalised adjacency and the masks."""

    def __init__(self, path, seed):
        z = np.load(path)
        words = torch.tensor(z["words"], dtype=torch.float32)
        self.x = words / words.sum(1, keepdim=True).clamp(min=1) * 5
        self.y = torch.tensor(z["topic"], dtype=torch.long)
        self.n = len(self.y)
        e = torch.tensor(z["edges"].astype(np.int64)).T
        loops = torch.arange(self.n).repeat(2, 1)
        idx = torch.cat([e, e.flip(0), loops], 1)
        deg = torch.zeros(self.n).index_add_(0, idx[0], torch.ones(idx.shape[1]))
        w = (deg[idx[0]] * deg[idx[1]]).rsqrt()
        self.adj = torch.sparse_coo_tensor(idx, w, (self.n, self.n), check_invariants=False).coalesce()
        order = torch.randperm(self.n, generator=torch.Generator().manual_seed(seed))
        self.train, self.valid, self.test = order[:450], order[450:600], order[600:]
