"""Track embeddings from listening sessions (skip-gram with sampled negatives)."""
import argparse
import time
from collections import Counter

import torch
import torch.nn.functional as F
from torch import nn


def read_sessions(path):
    with open(path) as fh:
        sessions = [line.split() for line in fh]
    tracks = [t for t, _ in Counter(t for s in sessions for t in s).most_common()]
    idx = {t: i for i, t in enumerate(tracks)}
    return [[idx[t] for t in s] for s in sessions], tracks


def skipgrams(sessions, window):
    pairs = [(s[i], s[j]) for s in sessions for i in range(len(s)) for j in range(max(0, i - window), min(len(s), i + window + 1)) if i != j and s[i] != s[j]]
    return torch.tensor(pairs)


class RunningMean:
    """Exponential mean of a stream of numbers."""

    def __init__(self, momentum):
        self.momentum, self.value = momentum, None

    def __call__(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = self.momentum * self.value + (1 - self.momentum) * x
        return self.value


class Item2Vec(nn.Module):
    def __init__(self, n, dim=12, momentum=0.9):
        super().__init__()
        self.target, self.context = nn.Embedding(n, dim), nn.Embedding(n, dim)
        nn.init.normal_(self.target.weight, std=0.1)
        nn.init.normal_(self.context.weight, std=0.1)
        self.level = RunningMean(momentum)

    def forward(self, centre, positive, negative):
        """Scores of the positives (B, 1) and negatives (B, K), centred by the usual level of random pairs."""
        c = self.target(centre).unsqueeze(1)
        pos = (c * self.context(positive).unsqueeze(1)).sum(-1)
        neg = (c * self.context(negative)).sum(-1)
        level = self.level(neg.mean())
        return pos - level, neg - level


@torch.no_grad()
def hit_rate(model, pairs, k=20):
    scores = model.target.weight[pairs[:, 0]] @ model.context.weight.t()
    return (scores.topk(k, 1).indices == pairs[:, 1:]).any(1).float().mean().item()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--negatives", type=int, default=4)
    ap.add_argument("--lr", type=float, default=1.5e-2)
    args = ap.parse_args()
    torch.manual_seed(5)
    sessions, tracks = read_sessions("sessions.txt")
    cut = int(0.9 * len(sessions))
    train, test = skipgrams(sessions[:cut], 2), skipgrams(sessions[cut:], 2)
    model = Item2Vec(len(tracks))
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    print(f"{len(tracks)} tracks, {len(train)} pairs; hit@20 by chance {20 / len(tracks):.3f}")
    for epoch in range(1, args.epochs + 1):
        start, total = time.time(), 0.0
        for rows in torch.randperm(len(train)).split(args.batch):
            b = train[rows]
            pos, neg = model(b[:, 0], b[:, 1], torch.randint(len(tracks), (len(b), args.negatives)))
            loss = F.softplus(-pos).mean() + F.softplus(neg).mean()
            opt.zero_grad(set_to_none=True)
            loss.backward(retain_graph=True)
            opt.step()
            total += loss.item() * len(b)
        print(f"epoch {epoch} loss {total / len(train):.4f} hit@20 {hit_rate(model, test):.3f} ({time.time() - start:.1f} s)")
