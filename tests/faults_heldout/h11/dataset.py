"""Lines of 2-4 handwritten digits with random gaps, and their transcripts."""
import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset

BLANK = 0  # digits are shifted by one


def glyphs(seed=0):
    d = load_digits()
    x = (d.images / 16.0).astype(np.float32)
    return train_test_split(x, d.target, test_size=0.25, stratify=d.target, random_state=seed)


class Lines(Dataset):
    def __init__(self, images, labels, count, seed):
        rng = np.random.default_rng(seed)
        self.items = []
        for _ in range(count):
            ids = rng.integers(0, len(labels), rng.integers(2, 5))
            cols = [np.zeros((8, rng.integers(0, 3)), np.float32)]
            for i in ids:
                cols += [images[i], np.zeros((8, rng.integers(0, 4)), np.float32)]
            strip = np.concatenate(cols, axis=1)
            strip = strip + 0.05 * rng.normal(size=strip.shape).astype(np.float32)
            self.items.append((torch.from_numpy(strip - 0.3), torch.from_numpy(labels[ids] + 1)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    widths = torch.tensor([s.shape[1] for s, _ in batch])
    lengths = torch.tensor([len(t) for _, t in batch])
    x = torch.full((len(batch), 1, 8, int(widths.max())), -0.3)
    for i, (s, _) in enumerate(batch):
        x[i, 0, :, :s.shape[1]] = s
    return x, widths, torch.cat([t for _, t in batch]), lengths
