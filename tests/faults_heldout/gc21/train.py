import csv
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler


@dataclass
class Params:
    path: Path = Path(__file__).parent / "visits.csv"
    cats: tuple = ("city", "device", "plan", "hour")
    nums: tuple = ("spend", "tenure")
    target: str = "renewed"
    hidden: tuple = field(default=(64, 32))
    dropout: float = 0.25
    max_lr: float = 6e-3
    weight_decay: float = 0.05
    epochs: int = 14
    batch: int = 64
    seed: int = 21


class Visits(Dataset):
    def __init__(self, rows, p, vocab=None, stats=None):
        self.vocab = vocab or {c: {v: i + 1 for i, v in enumerate(sorted({r[c] for r in rows}))} for c in p.cats}
        self.cat = torch.tensor([[self.vocab[c].get(r[c], 0) for c in p.cats] for r in rows])
        num = torch.tensor([[float(r[c]) for c in p.nums] for r in rows]).log1p()
        self.stats = stats or (num.mean(0), num.std(0))
        self.num = (num - self.stats[0]) / self.stats[1]
        self.y = torch.tensor([float(r[p.target]) for r in rows])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, idx):
        return self.cat[idx], self.num[idx], self.y[idx]


class TabNet(nn.Module):
    def __init__(self, sizes, n_num, p):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(s + 1, min(8, (s + 1) // 2 + 1)) for s in sizes)
        for e in self.emb:
            nn.init.normal_(e.weight, std=0.1)
        width = sum(e.embedding_dim for e in self.emb) + n_num
        layers = []
        for h in p.hidden:
            layers += [nn.Linear(width, h), nn.LayerNorm(h), nn.ReLU(), nn.Dropout(p.dropout)]
            width = h
        self.mlp = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, cat, num):
        parts = [e(cat[:, k]) for k, e in enumerate(self.emb)]
        return self.mlp(torch.cat([*parts, num], 1)).squeeze(1)


def batched(ds, size, shuffle):
    sampler = BatchSampler(RandomSampler(ds) if shuffle else range(len(ds)), size, drop_last=shuffle)
    return DataLoader(ds, sampler=sampler, batch_size=None)


def main(p):
    torch.manual_seed(p.seed)
    with open(p.path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    np.random.default_rng(p.seed).shuffle(rows)
    train = Visits(rows[:3200], p)
    val = Visits(rows[3200:], p, train.vocab, train.stats)
    dl, dv = batched(train, p.batch, True), batched(val, 400, False)
    model = TabNet([len(v) for v in train.vocab.values()], len(p.nums), p)
    groups = defaultdict(list)
    for name, w in model.named_parameters():
        groups["decay" if w.ndim > 1 and not name.startswith("emb") else "plain"].append(w)
    opt = torch.optim.AdamW([{"params": groups["decay"], "weight_decay": p.weight_decay},
                             {"params": groups["plain"], "weight_decay": 0.0}], lr=p.max_lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, p.max_lr, epochs=p.epochs, steps_per_epoch=len(dl), pct_start=0.25)
    bce = nn.BCEWithLogitsLoss()
    for epoch in range(1, p.epochs + 1):
        tic, seen, run = time.time(), 0, 0.0
        model.train()
        for cat, num, y in dl:
            loss = bce(model(cat, num), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            run, seen = run + loss.item() * len(y), seen + len(y)
        model.eval()
        with torch.no_grad():
            z, y = (torch.cat(v) for v in zip(*[(model(c, n), y) for c, n, y in dv]))
        print(f"{epoch:2d} train {run / seen:.4f} | val {bce(z, y):.4f} acc {((z > 0) == (y > 0.5)).float().mean():.4f} | {time.time() - tic:.1f}s")


if __name__ == "__main__":
    main(Params())
