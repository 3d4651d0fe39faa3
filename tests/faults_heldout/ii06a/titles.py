import numpy as np
import torch


class TitleBatches:
    """Recipe titles as fixed-length rows of character ids: <bos> ... <eos> and padding."""

    def __init__(self, path, batch_size, shuffle=False, seed=0):
        self.ids = torch.from_numpy(np.load(path).astype(np.int64))
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.generator = torch.Generator().manual_seed(seed)

    def __len__(self):
        return -(-len(self.ids) // self.batch_size)

    def __iter__(self):
        n = len(self.ids)
        order = torch.randperm(n, generator=self.generator) if self.shuffle else torch.arange(n)
        for rows in order.split(self.batch_size):
            chunk = self.ids[rows]
            yield chunk[:, :-1], chunk[:, 1:]
