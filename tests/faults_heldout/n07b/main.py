import argparse
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from stream import CATEGORIES, N_BUCKETS, TitleStream, collate


class TitleClassifier(nn.Module):
    def __init__(self, dim, n_classes):
        super().__init__()
        self.bag = nn.EmbeddingBag(N_BUCKETS, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, n_classes))

    def forward(self, flat, offsets):
        return self.mlp(self.bag(flat, offsets))


def accuracy(model, loader, crit):
    model.eval()
    hits = n = 0
    loss = 0.0
    with torch.no_grad():
        for flat, offsets, y in loader:
            out = model(flat, offsets)
            loss += crit(out, y).item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            n += len(y)
    model.train()
    return loss / n, hits / n


def main(a):
    torch.manual_seed(a.seed)
    train = DataLoader(TitleStream(a.train), batch_size=a.batch, collate_fn=collate)
    dev = DataLoader(TitleStream(a.dev), batch_size=256, collate_fn=collate)
    model = TitleClassifier(a.dim, len(CATEGORIES))
    crit = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    step, ema, t0 = 0, None, time.time()
    for epoch in range(a.epochs):
        for flat, offsets, y in train:
            loss = crit(model(flat, offsets), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            ema = loss.item() if ema is None else 0.95 * ema + 0.05 * loss.item()
            step += 1
            if step % 50 == 0:
                print(f"step {step} loss {ema:.3f} ({time.time() - t0:.1f}s)")
        dl, da = accuracy(model, dev, crit)
        print(f"epoch {epoch + 1}: dev loss {dl:.3f} accuracy {da:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="catalogue_train.jsonl")
    ap.add_argument("--dev", default="catalogue_dev.jsonl")
    ap.add_argument("--dim", type=int, default=32)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=1e-2)
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--seed", type=int, default=0)
    main(ap.parse_args())
