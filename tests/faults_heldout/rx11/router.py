"""Route support tickets to a team with averaged word embeddings."""
import argparse
import re
import zlib

import torch
from torch import nn


def tokens(text, buckets):
    words = re.findall(r"[a-z0-9]+", text.lower())
    return [zlib.crc32(w.encode()) % buckets for w in words]


def load(path, teams=None):
    rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
    teams = teams or sorted({t for t, _ in rows})
    return [(teams.index(t), text) for t, text in rows], teams


def collate(rows, buckets):
    flat, offsets = [], []
    for _, text in rows:
        offsets.append(len(flat))
        flat += tokens(text, buckets)
    return torch.tensor(flat), torch.tensor(offsets), torch.tensor([t for t, _ in rows])


class TicketRouter(nn.Module):
    def __init__(self, buckets, dim, n_teams):
        super().__init__()
        self.bag = nn.EmbeddingBag(buckets, dim, mode="mean", sparse=True)
        self.fc = nn.Linear(dim, n_teams)
        nn.init.uniform_(self.bag.weight, -0.5, 0.5)
        nn.init.uniform_(self.fc.weight, -0.5, 0.5)
        nn.init.zeros_(self.fc.bias)

    def forward(self, flat, offsets):
        return self.fc(self.bag(flat, offsets))


@torch.no_grad()
def evaluate(model, rows, buckets):
    model.eval()
    flat, offsets, y = collate(rows, buckets)
    z = model(flat, offsets)
    return nn.functional.cross_entropy(z, y).item(), (z.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=2.0)
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--dim", type=int, default=24)
    ap.add_argument("--buckets", type=int, default=4096)
    args = ap.parse_args()

    torch.manual_seed(10)
    train, teams = load("tickets_train.tsv")
    valid, _ = load("tickets_valid.tsv", teams)
    model = TicketRouter(args.buckets, args.dim, len(teams))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    steps = args.epochs * -(-len(train) // args.batch)
    decay = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        order = torch.randperm(len(train)).tolist()
        for i in range(0, len(order), args.batch):
            flat, offsets, y = collate([train[j] for j in order[i : i + args.batch]], args.buckets)
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(flat, offsets), y)
            loss.backward()
            optimizer.step()
            decay.step()
            total += loss.item() * len(y)
        vl, va = evaluate(model, valid, args.buckets)
        print(f"epoch {epoch:2d}  train {total / len(train):.4f}  valid {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main()
