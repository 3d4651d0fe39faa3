import numpy as np
import torch
from torch.utils.data import IterableDataset


class Vocabulary:
    def __init__(self, text):
        self.chars = sorted(set(text))
        self.index = {c: i for i, c in enumerate(self.chars)}

    def __len__(self):
        return len(self.chars)

    def encode(self, text):
        return np.array([self.index[c] for c in text], dtype=np.int64)

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)


class WindowStream(IterableDataset):
    """Streams `n_windows` random windows of the encoded text per pass."""

    def __init__(self, ids, width, n_windows, seed):
        super().__init__()
        self.ids = ids
        self.width = width
        self.n_windows = n_windows
        self.seed = seed

    def __len__(self):
        return self.n_windows

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        offset = 0 if worker is None else worker.id
        rng = np.random.default_rng(self.seed + offset)
        for _ in range(self.n_windows):
            a = rng.integers(0, len(self.ids) - self.width - 1)
            chunk = torch.from_numpy(self.ids[a:a + self.width + 1])
            yield chunk[:-1], chunk[1:]


def fixed_windows(ids, width):
    n = (len(ids) - 1) // width
    x = torch.from_numpy(ids[:n * width]).view(n, width)
    y = torch.from_numpy(ids[1:n * width + 1]).view(n, width)
    return x, y


def load_text(path, valid_share):
    text = open(path, encoding="utf8").read()
    cut = int(len(text) * (1 - valid_share))
    vocab = Vocabulary(text)
    return vocab, vocab.encode(text[:cut]), vocab.encode(text[cut:])
