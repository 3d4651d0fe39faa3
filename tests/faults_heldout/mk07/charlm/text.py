from pathlib import Path

import torch


class Corpus:
    def __init__(self, folder):
        train = Path(folder, "train.txt").read_text()
        valid = Path(folder, "valid.txt").read_text()
        self.chars = sorted(set(train + valid))
        index = {c: i for i, c in enumerate(self.chars)}
        self.train = torch.tensor([index[c] for c in train])
        self.valid = torch.tensor([index[c] for c in valid])


class WindowSampler:
    """Random windows of the training text, a fixed number of batches per pass."""

    def __init__(self, ids, block, batch, batches, seed):
        self.ids, self.block, self.batch, self.batches, self.seed = ids, block, batch, batches, seed

    def __len__(self):
        return self.batches

    def __iter__(self):
        gen = torch.Generator().manual_seed(self.seed)
        for _ in range(self.batches):
            start = torch.randint(len(self.ids) - self.block - 1, (self.batch,), generator=gen)
            pos = start[:, None] + torch.arange(self.block + 1)
            chunk = self.ids[pos]
            yield chunk[:, :-1], chunk[:, 1:]


def contiguous(ids, block):
    n = (len(ids) - 1) // block
    return ids[: n * block].view(n, block), ids[1 : n * block + 1].view(n, block)
