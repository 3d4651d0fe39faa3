"""Flat prices: entity embeddings + numeric columns, small random search.

The search looks at the validation split only; the winner is refitted nowhere and scored once on test.
"""
import random
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

CAT, NUM = ["city", "kind"], ["area", "age", "floor", "dist"]


def load():
    t = np.genfromtxt(Path(__file__).with_name("flats.csv"), delimiter=",", names=True)
    cat = torch.tensor(np.stack([t[c] for c in CAT], 1).astype(np.int64))
    num = np.stack([np.log(t[c]) if c == "area" else t[c] for c in NUM], 1)
    y = np.log(t["price"])
    perm = np.random.default_rng(0).permutation(len(y))
    parts = {"train": perm[:3500], "val": perm[3500:4250], "test": perm[4250:]}
    tr = parts["train"]
    num = (num - num[tr].mean(0)) / num[tr].std(0)
    mu, sd = y[tr].mean(), y[tr].std()
    f = lambda a: torch.tensor(a, dtype=torch.float32)
    return {k: (cat[i], f(num[i]), f((y[i] - mu) / sd)) for k, i in parts.items()}, float(sd)


class TabNet(nn.Module):
    def __init__(self, sizes, n_num, emb, hidden, drop):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(s, emb) for s in sizes)
        self.mlp = nn.Sequential(nn.Linear(emb * len(sizes) + n_num, hidden), nn.ReLU(), nn.Dropout(drop),
                                 nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(drop), nn.Linear(hidden, 1))

    def forward(self, c, x):
        e = [m(c[:, i]) for i, m in enumerate(self.emb)]
        return self.mlp(torch.cat(e + [x], 1)).squeeze(1)


def rmse(model, part):
    model.eval()
    c, x, y = part
    with torch.no_grad():
        return (model(c, x) - y).pow(2).mean().sqrt().item()


def fit(parts, hp, epochs=10):
    torch.manual_seed(0)
    model = TabNet((25, 6), len(NUM), hp["emb"], hp["hidden"], hp["drop"])
    opt = torch.optim.AdamW(model.parameters(), lr=hp["lr"], weight_decay=1e-4)
    c, x, y = parts["train"]
    steps = epochs * -(-len(y) // 64)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 1 - s / steps)
    for _ in range(epochs):
        model.train()
        for b in torch.randperm(len(y)).split(64):
            loss = (model(c[b], x[b]) - y[b]).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
    return model


def main():
    parts, sd = load()
    rng = random.Random(5)
    results = []
    for trial in range(5):
        hp = {"lr": 10 ** rng.uniform(-2.7, -1.9), "hidden": rng.choice([32, 64]), "emb": rng.choice([2, 4, 8]), "drop": rng.choice([0.0, 0.05, 0.1])}
        model = fit(parts, hp)
        tr, va = rmse(model, parts["train"]) * sd, rmse(model, parts["val"]) * sd
        print(f"trial {trial} {({k: round(v, 4) for k, v in hp.items()})} train {tr:.4f} val {va:.4f}", flush=True)
        results.append((va, trial, model))
    va, trial, model = min(results, key=lambda r: r[0])
    y = parts["test"][2]
    print(f"best trial {trial}: val {va:.4f} test {rmse(model, parts['test'])*sd:.4f} rmse of log price; predict-the-mean {y.pow(2).mean().sqrt()*sd:.4f}")


if __name__ == "__main__":
    main()
