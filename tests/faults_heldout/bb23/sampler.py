import torch


class ItemBatches:
    """P items x K profiles per batch, so that every anchor has positives."""

    def __init__(self, ids, p, k, n_batches):
        self.p, self.k, self.n_batches = p, k, n_batches
        self.by_item = [torch.nonzero(ids == c).flatten() for c in ids.unique()]

    def __iter__(self):
        for _ in range(self.n_batches):
            chosen = torch.randperm(len(self.by_item))[:self.p].tolist()
            yield torch.cat([self.by_item[c][torch.randperm(len(self.by_item[c]))[:self.k]] for c in chosen])
