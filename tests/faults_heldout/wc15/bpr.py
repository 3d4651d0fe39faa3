import argparse
import csv
import pathlib
from collections import defaultdict

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class TwoTower(nn.Module):
    """Listener and album embeddings with an album-tag component and popularity bias."""

    def __init__(self, users, items, tags, dim):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.tag = nn.Embedding(int(tags.max()) + 1, dim)
        self.bias = nn.Embedding(items, 1)
        self.register_buffer("tags", tags)
        for table in (self.user, self.item, self.tag):
            nn.init.normal_(table.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def score(self, u, i):
        vec = self.item(i) + self.tag(self.tags[i])
        return (self.user(u) * vec).sum(-1) + self.bias(i).squeeze(-1)


def read(path):
    plays, tags = defaultdict(list), {}
    with open(path) as f:
        for row in csv.DictReader(f):
            u, i = int(row["listener"]), int(row["album"])
            plays[u].append((int(row["day"]), i))
            tags[i] = int(row["tag"])
    n_items = max(tags) + 1
    tag_vec = torch.tensor([tags.get(i, 0) for i in range(n_items)])
    train, held = {}, {}
    for u, seq in plays.items():
        items = [i for _, i in sorted(seq)]
        train[u], held[u] = items[:-4], items[-4:]
    return train, held, tag_vec


def draw_negatives(users, seen, n_items, rng):
    neg = rng.integers(0, n_items, len(users))
    clash = seen[users, neg]
    while clash.any():
        neg[clash] = rng.integers(0, n_items, clash.sum())
        clash = seen[users, neg]
    return neg


def ranking_loss(pos, neg, margin=0.0):
    return -F.logsigmoid(neg - pos - margin).mean()


@torch.no_grad()
def ranking_report(model, train, held, n_items, k=20):
    aucs, recalls = [], []
    items = torch.arange(n_items)
    for u in held:
        s = model.score(torch.full((n_items,), u), items).numpy()
        s[train[u]] = np.nan
        rest = np.setdiff1d(np.flatnonzero(~np.isnan(s)), held[u])
        aucs.append((s[held[u]][:, None] > s[rest][None]).mean())
        top = np.argsort(-np.nan_to_num(s, nan=-1e9))[:k]
        recalls.append(np.isin(held[u], top).mean())
    return np.mean(aucs), np.mean(recalls)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dim", type=int, default=16)
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--l2", type=float, default=2e-3)
    args = ap.parse_args()
    torch.manual_seed(77)
    rng = np.random.default_rng(77)

    train, held, tags = read(pathlib.Path(__file__).parent / "plays.csv")
    n_users, n_items = len(train), len(tags)
    pairs = np.array([(u, i) for u, items in train.items() for i in items])
    seen = np.zeros((n_users, n_items), dtype=bool)
    seen[pairs[:, 0], pairs[:, 1]] = True
    print(f"{n_users} listeners, {n_items} albums, {len(pairs)} plays for training")

    model = TwoTower(n_users, n_items, tags, args.dim)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        rng.shuffle(pairs)
        losses = []
        for b in range(0, len(pairs), args.batch):
            u, i = pairs[b:b + args.batch].T
            j = draw_negatives(u, seen, n_items, rng)
            u, i, j = map(torch.from_numpy, (u.copy(), i.copy(), j))
            loss = ranking_loss(model.score(u, i), model.score(u, j))
            reg = (model.user(u).pow(2) + model.item(i).pow(2) + model.item(j).pow(2)).sum(-1).mean()
            opt.zero_grad()
            (loss + args.l2 * reg).backward()
            opt.step()
            losses.append(loss.item())
        auc, recall = ranking_report(model, train, held, n_items)
        print(f"epoch {epoch:2d}  loss {np.mean(losses):.4f}  AUC {auc:.4f}  recall@20 {recall:.4f}")


if __name__ == "__main__":
    main()
