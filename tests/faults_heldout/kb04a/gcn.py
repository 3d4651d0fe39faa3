"""Topic classification in a citation network with a two-layer graph convolution."""
import configparser
import pathlib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, x, adj):
        return torch.sparse.mm(adj, self.lin(x))


class GCN(nn.Module):
    def __init__(self, d_in, hidden, n_class, drop):
        super().__init__()
        self.g1 = GraphConv(d_in, hidden)
        self.g2 = GraphConv(hidden, n_class)
        self.drop = nn.Dropout(drop)

    def forward(self, x, adj):
        h = F.relu(self.g1(x, adj))
        return self.g2(self.drop(h), adj)


def normalised_adjacency(edges, n):
    src = np.concatenate([edges[:, 0], edges[:, 1], np.arange(n)])
    dst = np.concatenate([edges[:, 1], edges[:, 0], np.arange(n)])
    deg = np.bincount(src, minlength=n).astype(np.float32)
    w = 1.0 / np.sqrt(deg[src] * deg[dst])
    return torch.sparse_coo_tensor(np.stack([src, dst]), torch.tensor(w), (n, n)).coalesce()


def build_optimizer(model, section):
    return torch.optim.Adam(
        model.parameters(),
        lr=section.getfloat("lr"),
        betas=(section.getfloat("beta1"), section.getfloat("beta2")),
        eps=section.getfloat("eps"),
        weight_decay=section.getfloat("weight_decay"),
    )


def run():
    here = pathlib.Path(__file__).resolve().parent
    cp = configparser.ConfigParser()
    cp.read(here / "experiment.ini")
    torch.manual_seed(cp.getint("run", "seed"))
    torch.sparse.check_sparse_tensor_invariants.disable()

    blob = np.load(here / "papers.npz")
    x = torch.tensor(blob["feats"].astype(np.float32))
    y = torch.tensor(blob["topic"])
    adj = normalised_adjacency(blob["edges"], len(x))
    order = torch.randperm(len(x))
    train, val = order[:540], order[540:]

    m = cp["model"]
    model = GCN(x.shape[1], m.getint("hidden"), int(y.max()) + 1, m.getfloat("dropout"))
    opt = build_optimizer(model, cp["adam"])

    for epoch in range(1, cp.getint("run", "epochs") + 1):
        model.train()
        opt.zero_grad()
        loss = F.cross_entropy(model(x, adj)[train], y[train])
        loss.backward()
        opt.step()
        if epoch % 20 == 0:
            model.eval()
            with torch.no_grad():
                out = model(x, adj)
            vl = F.cross_entropy(out[val], y[val]).item()
            acc = (out[val].argmax(1) == y[val]).float().mean().item()
            print(f"epoch {epoch:4d} | loss {loss.item():.4f} | val loss {vl:.4f} | val acc {acc:.3f}")


if __name__ == "__main__":
    run()
