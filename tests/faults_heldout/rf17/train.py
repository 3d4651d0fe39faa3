import json
import random

import torch
from torch import nn

from encoder import SessionEncoder


def load(path):
    rows = []
    with open(path) as fh:
        for line in fh:
            d = json.loads(line)
            feats = torch.stack([torch.tensor(d["amount"]).log(), torch.tensor(d["gap"]).log1p()], -1)
            rows.append((feats, float(d["churn"])))
    return rows


def batches(rows, size, rng=None):
    rows = rng.sample(rows, len(rows)) if rng else rows
    for k in range(0, len(rows), size):
        part = rows[k:k + size]
        yield torch.cat([r[0] for r in part]), [len(r[0]) for r in part], torch.tensor([r[1] for r in part])


def main():
    torch.manual_seed(2)
    rng = random.Random(2)
    rows = load("sessions.jsonl")
    rng.shuffle(rows)
    train, held = rows[:1200], rows[1200:]
    allf = torch.cat([r[0] for r in train])
    mu, sd = allf.mean(0), allf.std(0)
    train, held = ([((f - mu) / sd, y) for f, y in part] for part in (train, held))

    net = SessionEncoder()
    bce = nn.BCEWithLogitsLoss()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(12):
        net.train()
        seen = []
        for flat, lengths, y in batches(train, 24, rng):
            loss = bce(net(flat, lengths), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen.append(loss.item())
        net.eval()
        with torch.no_grad():
            flat, lengths, y = next(batches(held, len(held)))
            out = net(flat, lengths)
            print(f"epoch {epoch} train {sum(seen) / len(seen):.4f} held-out {bce(out, y):.4f} "
                  f"acc {((out > 0) == (y > 0.5)).float().mean():.3f}")


if __name__ == "__main__":
    main()
