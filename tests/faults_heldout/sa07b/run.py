import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from gnn import Graph, NodeClassifier


def get_args():
    ap = argparse.ArgumentParser(description="Topic of papers in a citation graph (transductive).")
    ap.add_argument("--data", default="citations.npz")
    ap.add_argument("--aggr", choices=["mean", "sum"], default="mean")
    ap.add_argument("--depth", type=int, default=5)
    ap.add_argument("--dim", type=int, default=48)
    ap.add_argument("--lr", type=float, default=0.02)
    ap.add_argument("--epochs", type=int, default=80)
    ap.add_argument("--seed", type=int, default=1)
    return ap.parse_args()


def split(n, seed):
    perm = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    masks = torch.zeros(3, n, dtype=torch.bool)
    a, b = int(0.5 * n), int(0.7 * n)
    for mask, rows in zip(masks, (perm[:a], perm[a:b], perm[b:])):
        mask[rows] = True
    return masks


def accuracy(logits, y, mask):
    return (logits[mask].argmax(1) == y[mask]).float().mean().item()


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    blob = np.load(Path(__file__).parent / args.data)
    x = torch.from_numpy(blob["x"])
    y = torch.from_numpy(blob["y"].astype(np.int64))
    graph = Graph(torch.from_numpy(blob["edges"].astype(np.int64)), len(y))
    train, val, test = split(len(y), args.seed)

    net = NodeClassifier(x.shape[1], args.dim, args.depth, int(y.max()) + 1, args.aggr)
    opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
    best_val, best_test = 0.0, 0.0
    for epoch in range(1, args.epochs + 1):
        net.train()
        opt.zero_grad()
        loss = F.cross_entropy(net(x, graph)[train], y[train])
        loss.backward()
        opt.step()

        net.eval()
        with torch.no_grad():
            logits = net(x, graph)
        acc_val, acc_test = accuracy(logits, y, val), accuracy(logits, y, test)
        if acc_val > best_val:
            best_val, best_test = acc_val, acc_test
        if epoch % 10 == 0:
            print(f"{epoch:4d} loss {loss.item():10.4f} train {accuracy(logits, y, train):.3f} val {acc_val:.3f}")
    print(f"best val {best_val:.3f}, test at best val {best_test:.3f}")


if __name__ == "__main__":
    main()
