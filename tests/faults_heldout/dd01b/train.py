"""Topic tagging of a co-purchase graph with a two-layer graph convolution.

    graph/edges.csv        undirected edges  (src,dst)
    graph/features.npz     bag-of-keywords per node
    graph/annotations.csv  node,topic used for fitting
    graph/gold.csv         node,topic used for scoring
"""
import argparse
import csv
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "graph"))
    p.add_argument("--hidden", type=int, default=64)
    p.add_argument("--dropout", type=float, default=0.4)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--wd", type=float, default=5e-4)
    p.add_argument("--epochs", type=int, default=150)
    p.add_argument("--seed", type=int, default=5)
    return p.parse_args()


def read_nodes(path):
    with open(path, newline="") as fh:
        rows = [(int(r["node"]), int(r["topic"])) for r in csv.DictReader(fh)]
    idx, lab = zip(*rows)
    return torch.tensor(idx), torch.tensor(lab)


def normalized_adjacency(edges, n):
    src = torch.cat([edges[0], edges[1], torch.arange(n)])
    dst = torch.cat([edges[1], edges[0], torch.arange(n)])
    deg = torch.bincount(src, minlength=n).float()
    w = deg[src].rsqrt() * deg[dst].rsqrt()
    return torch.sparse_coo_tensor(torch.stack([src, dst]), w, (n, n)).coalesce()


def load_graph(root):
    x = torch.from_numpy(np.load(os.path.join(root, "features.npz"))["x"].astype(np.float32))
    x = x / x.sum(1, keepdim=True).clamp(min=1.0).sqrt()
    edges = torch.from_numpy(np.loadtxt(os.path.join(root, "edges.csv"), delimiter=",", skiprows=1, dtype=np.int64)).t()
    adj = normalized_adjacency(edges, x.shape[0])
    fit_idx, fit_y = read_nodes(os.path.join(root, "annotations.csv"))
    gold_idx, gold_y = read_nodes(os.path.join(root, "gold.csv"))
    return x, adj, (fit_idx, fit_y), (gold_idx, gold_y)


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.self_lin = nn.Linear(d_in, d_out)
        self.nb_lin = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x, adj):
        return self.self_lin(x) + torch.sparse.mm(adj, self.nb_lin(x))


class TopicNet(nn.Module):
    def __init__(self, d_in, hidden, classes, dropout):
        super().__init__()
        self.conv1 = GraphConv(d_in, hidden)
        self.conv2 = GraphConv(hidden, classes)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, self.training)
        h = F.relu(self.conv1(x, adj))
        h = F.dropout(h, self.dropout, self.training)
        return self.conv2(h, adj)


def main():
    args = parse()
    torch.manual_seed(args.seed)
    x, adj, (fi, fy), (gi, gy) = load_graph(args.root)
    classes = int(torch.cat([fy, gy]).max()) + 1
    print(f"{x.shape[0]} nodes, {x.shape[1]} keywords, {classes} topics, {len(fi)} annotated / {len(gi)} gold")

    net = TopicNet(x.shape[1], args.hidden, classes, args.dropout)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr, weight_decay=args.wd)

    for epoch in range(1, args.epochs + 1):
        net.train()
        opt.zero_grad()
        loss = F.cross_entropy(net(x, adj)[fi], fy)
        loss.backward()
        opt.step()

        if epoch % 10 == 0:
            net.eval()
            with torch.no_grad():
                out = net(x, adj)
            fit_acc = (out[fi].argmax(1) == fy).float().mean().item()
            gold_acc = (out[gi].argmax(1) == gy).float().mean().item()
            gold_loss = F.cross_entropy(out[gi], gy).item()
            print(f"[{epoch:3d}] loss {loss.item():.4f}  fit acc {fit_acc:.3f}  gold loss {gold_loss:.4f}  gold acc {gold_acc:.3f}")


if __name__ == "__main__":
    main()
