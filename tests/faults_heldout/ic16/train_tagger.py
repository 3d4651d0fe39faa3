import argparse
import logging

import torch
from torch import nn
from torch.utils.data import DataLoader, Subset

from articles import Articles

log = logging.getLogger("tagger")


class Tagger(nn.Module):
    def __init__(self, n_words, n_tags, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_words, hidden), nn.LayerNorm(hidden), nn.GELU(), nn.Dropout(0.2),
                                 nn.Linear(hidden, n_tags))

    def forward(self, x):
        return self.net(x)

    def tags(self, x, threshold=0.5):
        return torch.sigmoid(self(x)) > threshold


def scores(model, loader):
    model.eval()
    tp = fp = fn = exact = n = 0
    with torch.no_grad():
        for x, y in loader:
            p, t = model.tags(x), y > 0.5
            tp += (p & t).sum().item()
            fp += (p & ~t).sum().item()
            fn += (~p & t).sum().item()
            exact += (p == t).all(1).sum().item()
            n += len(x)
    return {"precision": tp / max(1, tp + fp), "recall": tp / max(1, tp + fn),
            "f1": 2 * tp / max(1, 2 * tp + fp + fn), "exact": exact / n}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="articles.jsonl")
    ap.add_argument("--hidden", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--batch", type=int, default=50)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(5)

    ds = Articles(args.data)
    rows = torch.randperm(len(ds))
    dev_rows, train_rows = rows[:400], rows[400:]
    ds.standardise(train_rows)
    train = DataLoader(Subset(ds, train_rows.tolist()), args.batch, shuffle=True)
    dev = DataLoader(Subset(ds, dev_rows.tolist()), 400)

    model = Tagger(ds.x.shape[1], ds.y.shape[1], args.hidden)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for x, y in train:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item()
        s = scores(model, dev)
        log.info("epoch %d loss %.4f %s", epoch, running / len(train),
                 " ".join(f"{k} {v:.3f}" for k, v in s.items()))


if __name__ == "__main__":
    main()
