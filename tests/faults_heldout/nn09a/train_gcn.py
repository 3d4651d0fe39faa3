"""Paper-topic classification on a small citation graph with a two-layer GCN (full batch)."""
import argparse
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, adj, h):
        return adj @ self.lin(h)


class GCN(nn.Module):
    def __init__(self, d_in, hidden, n_cls):
        super().__init__()
        self.g1 = GraphConv(d_in, hidden)
        self.g2 = GraphConv(hidden, n_cls)

    def forward(self, adj, x):
        return self.g2(adj, F.relu(self.g1(adj, x)))


def load_graph(folder):
    z = np.load(os.path.join(folder, "citations.npz"))
    n = len(z["topic"])
    a = torch.eye(n)
    src, dst = torch.from_numpy(z["edges"].astype(np.int64))
    a[src, dst] = 1.0
    a[dst, src] = 1.0
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None], torch.from_numpy(z["words"]).float(), torch.from_numpy(z["topic"]).long()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--hidden", type=int, default=48)
    p.add_argument("--lr", type=float, default=0.006)
    p.add_argument("--momentum", type=float, default=0.9)
    p.add_argument("--steps", type=int, default=2000)
    p.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    args = p.parse_args()

    torch.manual_seed(17)
    torch.set_num_threads(1)
    dtype = getattr(torch, args.dtype)
    adj, words, topic = load_graph(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data"))
    words = F.normalize(torch.log1p(words), dim=1)
    n = len(topic)
    perm = torch.randperm(n)
    train, val = perm[: n // 2], perm[n // 2:]

    model = GCN(words.shape[1], args.hidden, int(topic.max()) + 1).to(dtype)
    adj, words = adj.to(dtype), words.to(dtype)
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum)

    for step in range(1, args.steps + 1):
        model.train()
        out = model(adj, words)
        loss = F.cross_entropy(out[train].float(), topic[train])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % (args.steps // 10) == 0:
            model.eval()
            with torch.no_grad():
                out = model(adj, words).float()
            acc = (out.argmax(1) == topic).float()
            print(f"step {step:5d} loss {loss.item():.4f} train acc {acc[train].mean():.3f} val acc {acc[val].mean():.3f}")


if __name__ == "__main__":
    main()
