"""Listwise learning to rank for site search. Grades go from 0 (off topic) to 4 (perfect)."""
import random
from pathlib import Path

import numpy as np
import torch
from torch import nn

FOLDER = Path(__file__).resolve().parent
SEED = 8


class QuerySet:
    """All documents of a split, grouped by query."""

    SKEWED = (0, 1, 2, 5)               # score, term count, length, age in days

    def __init__(self, name, stats=None):
        arrays = np.load(FOLDER / f"{name}_features.npz")
        x = arrays["x"].astype(np.float32)
        x[:, self.SKEWED] = np.log1p(x[:, self.SKEWED])
        self.stats = stats or (x.mean(0), x.std(0))
        x = (x - self.stats[0]) / self.stats[1]
        grades = np.loadtxt(FOLDER / f"{name}_grades.txt", dtype=np.int64)
        assert len(grades) == len(x)
        self.lists = []
        for q in np.unique(arrays["query"]):
            rows = arrays["query"] == q
            self.lists.append((torch.from_numpy(x[rows]), torch.from_numpy(grades[rows])))

    def __len__(self):
        return len(self.lists)

    def batches(self, size):
        order = list(range(len(self.lists)))
        random.shuffle(order)
        for start in range(0, len(order), size):
            yield [self.lists[i] for i in order[start:start + size]]


class Scorer(nn.Module):
    def __init__(self, n_features, width=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_features, width), nn.GELU(), nn.Dropout(0.1),
            nn.Linear(width, width), nn.GELU(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(-1)


def list_loss(scores, grades):
    """ListNet: cross-entropy between the grade distribution and the score distribution."""
    wanted = torch.softmax(grades.float(), dim=0)
    return -(wanted * torch.log_softmax(scores, dim=0)).sum()


def ndcg(scores, grades, k=5):
    discount = 1.0 / torch.log2(torch.arange(2, k + 2).float())
    gain = 2.0 ** grades.float() - 1
    got = (gain[scores.argsort(descending=True)][:k] * discount).sum()
    best = (gain.sort(descending=True).values[:k] * discount).sum()
    return (got / best).item() if best > 0 else None


class Trainer:
    def __init__(self, epochs=40, batch=10, lr=2e-3):
        self.pool = QuerySet("pool")
        self.judged = QuerySet("judged", self.pool.stats)
        self.model = Scorer(self.pool.lists[0][0].shape[1])
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=lr, weight_decay=1e-2)
        self.epochs, self.batch = epochs, batch

    def epoch(self):
        self.model.train()
        total = 0.0
        for lists in self.pool.batches(self.batch):
            self.opt.zero_grad()
            loss = torch.stack([list_loss(self.model(x), g) for x, g in lists]).mean()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(lists)
        return total / len(self.pool)

    @torch.no_grad()
    def score(self, queries):
        self.model.eval()
        values = [ndcg(self.model(x), g) for x, g in queries.lists]
        return float(np.mean([v for v in values if v is not None]))

    def fit(self):
        print(f"{len(self.pool)} queries in the pool, {len(self.judged)} judged queries for testing")
        for e in range(1, self.epochs + 1):
            loss = self.epoch()
            if e % 2 == 0:
                print(f"epoch {e:3d}  list loss {loss:.4f}  ndcg@5 pool {self.score(self.pool):.4f}"
                      f"  judged {self.score(self.judged):.4f}")


if __name__ == "__main__":
    random.seed(SEED)
    np.random.seed(SEED)
    torch.manual_seed(SEED)
    Trainer().fit()
