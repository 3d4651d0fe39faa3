import torch


class EpisodeSampler:
    """Yields (support, query) index tensors of N-way K-shot tasks, `per_epoch` at a time."""

    def __init__(self, n_classes, n_examples, way, shot, queries, per_epoch, seed=0):
        self.n_classes, self.n_examples = n_classes, n_examples
        self.way, self.shot, self.queries = way, shot, queries
        self.per_epoch = per_epoch
        self.seed = seed

    def __len__(self):
        return self.per_epoch

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.per_epoch):
            classes = torch.randperm(self.n_classes, generator=g)[: self.way]
            picks = torch.stack([torch.randperm(self.n_examples, generator=g)[: self.shot + self.queries]
                                 for _ in range(self.way)])
            yield classes, picks[:, : self.shot], picks[:, self.shot:]
