"""Learns a document score from click preferences (two documents shown, one clicked)."""
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def read_yaml(path):
    out = {}
    for line in open(path):
        line = line.split("#")[0].strip()
        if not line:
            continue
        key, value = (s.strip() for s in line.split(":", 1))
        for cast in (int, float, str):
            try:
                out[key] = cast(value)
                break
            except ValueError:
                pass
    return out


class Scorer(nn.Module):
    def __init__(self, d, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(),
                                 nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


class PairStream:
    """Endless stream of shuffled minibatches of preference pairs."""

    def __init__(self, pairs, labels, batch_size):
        self.pairs, self.labels, self.batch_size = pairs, labels, batch_size

    def __iter__(self):
        while True:
            order = torch.randperm(len(self.pairs))
            for i in range(0, len(order) - self.batch_size + 1, self.batch_size):
                j = order[i:i + self.batch_size]
                yield self.pairs[j], self.labels[j]


def main(path="ranker.yaml"):
    cfg = read_yaml(path)
    torch.manual_seed(cfg["seed"])
    z = np.load(cfg["data"])
    feats = torch.from_numpy(z["features"].astype(np.float32))
    pairs = torch.from_numpy(z["shown"].astype(np.int64))
    labels = torch.from_numpy(z["first_clicked"]).float()

    perm = torch.randperm(len(pairs))
    n_hold = int(cfg["holdout"] * len(pairs))
    hold, fit = perm[:n_hold], perm[n_hold:]
    feats = (feats - feats.mean(0)) / feats.std(0)

    scorer = Scorer(feats.shape[1], cfg["hidden"])
    opt = torch.optim.Adam(scorer.parameters(), lr=cfg["lr"])
    stream = iter(PairStream(pairs[fit], labels[fit], cfg["batch_size"]))

    def margin(p):
        s = scorer(feats[p.flatten()]).view(-1, 2)
        return s[:, 0] - s[:, 1]

    smooth = None
    for step in range(1, cfg["steps"] + 1):
        p, y = next(stream)
        loss = F.binary_cross_entropy_with_logits(margin(p), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth = loss.item() if smooth is None else 0.99 * smooth + 0.01 * loss.item()

        if step % cfg["report_every"] == 0:
            scorer.eval()
            with torch.no_grad():
                m = margin(pairs[hold])
                h = F.binary_cross_entropy_with_logits(m, labels[hold]).item()
                acc = ((m > 0) == (labels[hold] > 0.5)).float().mean().item()
            scorer.train()
            print(f"step {step:5d}  loss {smooth:.4f}  holdout loss {h:.4f}  pair accuracy {acc:.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
