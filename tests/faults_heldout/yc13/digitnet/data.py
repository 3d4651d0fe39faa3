import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


class AugmentCollate:
    """Random one-pixel translations and sensor noise."""

    def __init__(self, max_shift, noise):
        self.max_shift, self.noise = max_shift, noise

    def __call__(self, batch):
        xs, ys = zip(*batch)
        x = F.pad(torch.stack(xs), [self.max_shift] * 4, value=float(min(t.min() for t in xs)))
        out = torch.empty(len(xs), 1, 8, 8)
        offs = torch.randint(0, 2 * self.max_shift + 1, (len(xs), 2))
        for i, (dy, dx) in enumerate(offs.tolist()):
            out[i] = x[i, :, dy:dy + 8, dx:dx + 8]
        return out + self.noise * torch.randn_like(out), torch.stack(ys)


def build(cfg, seed):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None]
    y = torch.tensor(d.target)
    idx = torch.arange(len(y)).numpy()
    rest, test = train_test_split(idx, test_size=0.2, random_state=seed, stratify=d.target)
    train, val = train_test_split(rest, test_size=0.15, random_state=seed, stratify=d.target[rest])
    mean, std = x[train].mean(), x[train].std()
    x = (x - mean) / std
    collate = AugmentCollate(cfg["max_shift"], cfg["noise"])
    return {
        "train": DataLoader(TensorDataset(x[train], y[train]), cfg["micro_batch"], shuffle=True, drop_last=True,
                            collate_fn=collate),
        "val": DataLoader(TensorDataset(x[val], y[val]), 256),
        "test": DataLoader(TensorDataset(x[test], y[test]), 256),
    }
