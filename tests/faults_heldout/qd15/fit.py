import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, random_split

from taxo.model import Taxonomy, TreeClassifier
from taxo.text import collate, hashed


def evaluate(model, loader):
    model.eval()
    nll = leaf = group = n = 0
    parent = model.taxonomy.parent
    with torch.no_grad():
        for flat, off, y in loader:
            logp = model(flat, off)
            nll += nn.functional.nll_loss(logp, y, reduction="sum").item()
            best = logp.argmax(1)
            leaf += (best == y).sum().item()
            group += (parent[best] == parent[y]).sum().item()
            n += len(y)
    return nll / n, leaf / n, group / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--titles", default="titles.tsv")
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--batch-size", type=int, default=64)
    a = p.parse_args()
    torch.manual_seed(8)

    lines = [l.split("\t") for l in open(a.titles).read().splitlines()]
    tree = Taxonomy([l[0] for l in lines])
    index = {l: i for i, l in enumerate(tree.leaves)}
    rows = [(hashed(text), index[label]) for label, text in lines]
    train, val = random_split(rows, [3500, len(rows) - 3500])
    loader = DataLoader(train, a.batch_size, shuffle=True, collate_fn=collate)
    check_train, check_val = DataLoader(train, 500, collate_fn=collate), DataLoader(val, 500, collate_fn=collate)

    model = TreeClassifier(tree)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * len(loader))
    print(f"{len(tree.leaves)} leaves in {len(tree.groups)} groups")
    for epoch in range(a.epochs):
        model.train()
        for flat, off, y in loader:
            opt.zero_grad()
            loss = nn.functional.nll_loss(model(flat, off), y)
            loss.backward()
            opt.step()
            sched.step()
        t, v = evaluate(model, check_train), evaluate(model, check_val)
        print("epoch %2d  train nll %.3f leaf %.3f group %.3f   val nll %.3f leaf %.3f group %.3f" % ((epoch + 1,) + t + v))


if __name__ == "__main__":
    main()
