import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def load_graph(path):
    z = np.load(path)
    x = torch.from_numpy(np.unpackbits(z["words"], axis=1)[:, : int(z["n_words"])]).float()
    x = x / x.sum(1, keepdim=True).clamp(min=1).sqrt()
    n = len(x)
    e = torch.from_numpy(z["links"].astype("int64")).t()
    loops = torch.arange(n).expand(2, -1)
    idx = torch.cat([e, e.flip(0), loops], 1)
    deg = torch.zeros(n).index_add_(0, idx[0], torch.ones(idx.shape[1]))
    val = (deg[idx[0]] * deg[idx[1]]).rsqrt()
    adj = torch.sparse_coo_tensor(idx, val, (n, n), check_invariants=True).coalesce()
    role = torch.from_numpy(z["role"])
    return x, adj, torch.from_numpy(z["topic"].astype("int64")), role == 1, role == 2, role == 3


class GCN(nn.Module):
    def __init__(self, d, h, k, p):
        super().__init__()
        self.lin1 = nn.Linear(d, h, bias=False)
        self.b1 = nn.Parameter(torch.zeros(h))
        self.lin2 = nn.Linear(h, k, bias=False)
        self.b2 = nn.Parameter(torch.zeros(k))
        self.p = p

    def forward(self, x, adj):
        x = F.dropout(x, self.p, self.training)
        x = F.relu(torch.sparse.mm(adj, self.lin1(x)) + self.b1)
        x = F.dropout(x, self.p, self.training)
        return torch.sparse.mm(adj, self.lin2(x)) + self.b2


def main():
    p = argparse.ArgumentParser(description="Topic of a paper from its words and its citations")
    p.add_argument("--graph", default=Path(__file__).with_name("papers.npz"))
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--dropout", type=float, default=0.6)
    p.add_argument("--epochs", type=int, default=300)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--l2", type=float, default=5e-4)
    p.add_argument("--seed", type=int, default=17)
    args = p.parse_args()
    torch.manual_seed(args.seed)

    x, adj, y, tr, va, te = load_graph(args.graph)
    print(f"{len(x)} nodes, labels used for fitting: {int(tr.sum())}, val {int(va.sum())}, test {int(te.sum())}")
    net = GCN(x.shape[1], args.hidden, int(y.max()) + 1, args.dropout)
    # L2 on the first layer only, as in the original recipe
    opt = torch.optim.Adam([
        {"params": [net.lin1.weight], "weight_decay": args.l2},
        {"params": [net.b1, net.lin2.weight, net.b2], "weight_decay": 0.0},
    ], lr=args.lr)

    for epoch in range(1, args.epochs + 1):
        net.train()
        opt.zero_grad()
        loss = F.cross_entropy(net(x, adj)[tr], y[tr])
        loss.backward()
        opt.step()
        if epoch % 20 == 0:
            net.eval()
            with torch.no_grad():
                out = net(x, adj)
                vloss = F.cross_entropy(out[va], y[va])
                acc = [(out[m].argmax(1) == y[m]).float().mean() for m in (tr, va, te)]
            print(f"{epoch:4d} loss {loss:.4f} val_loss {vloss:.4f} acc train {acc[0]:.3f} val {acc[1]:.3f} test {acc[2]:.3f}")


if __name__ == "__main__":
    main()
