import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score
from torch import nn
from torch.utils.data import Dataset

from engine import HOOKS, Hook


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(), nn.Linear(64, dim))

    def forward(self, x):
        return self.net(x)


class ContrastiveLoss(nn.Module):
    """Hadsell, Chopra and LeCun 2006; same = 1 for a genuine pair."""

    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def forward(self, a, b, same):
        d = nn.functional.pairwise_distance(a, b)
        return (same * d.pow(2) + (1 - same) * (self.margin - d).clamp(min=0).pow(2)).mean()


class Pairs(Dataset):
    """Half genuine, half impostor pairs, new ones every epoch unless a seed fixes them."""

    def __init__(self, images, labels, n, seed=None):
        self.images, self.labels, self.n, self.seed = images, labels, n, seed
        self.by_class = [np.flatnonzero(labels == c) for c in range(10)]
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.n

    def __getitem__(self, k):
        rng = self.rng if self.seed is None else np.random.default_rng([self.seed, k])
        same = k % 2
        c = rng.integers(10)
        other = c if same else (c + rng.integers(1, 10)) % 10
        i, j = rng.choice(self.by_class[c]), rng.choice(self.by_class[other])
        return self.images[i], self.images[j], torch.tensor(float(same))


def digit_pairs(n_train, seed):
    data = load_digits()
    x = torch.tensor(data.images, dtype=torch.float32)[:, None] / 8 - 1
    order = np.random.default_rng(seed).permutation(len(x))
    fit, held = order[:1300], order[1300:]
    train = Pairs(x[fit], data.target[fit], n_train)
    train.rng = np.random.default_rng(seed)
    return train, Pairs(x[held], data.target[held], 1000, seed=seed)


class Verification(Hook):
    """ROC AUC of the distance on pairs of held-out images."""

    def __init__(self, priority, pairs):
        super().__init__(priority)
        left, right, same = zip(*[pairs[k] for k in range(len(pairs))])
        self.left, self.right = torch.stack(left), torch.stack(right)
        self.same = torch.stack(same).numpy()

    def on_epoch_end(self, engine):
        engine.model.eval()
        with torch.no_grad():
            d = nn.functional.pairwise_distance(engine.model(self.left), engine.model(self.right)).numpy()
        print(f"verification AUC {roc_auc_score(self.same, -d):.4f}")


def make_hooks(cfg, held_out):
    hooks = []
    for name, kw in cfg.items():
        hooks.append(Verification(pairs=held_out, **kw) if name == "verification" else HOOKS[name](**kw))
    return hooks
