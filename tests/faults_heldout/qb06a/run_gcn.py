import argparse
import json

import numpy as np
import torch
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out)

    def forward(self, x, adj):
        return adj @ self.lin(x)


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout):
        super().__init__()
        self.conv1 = GraphConv(n_in, hidden)
        self.conv2 = GraphConv(hidden, n_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, adj):
        x = torch.relu(self.conv1(self.dropout(x), adj))
        return self.conv2(self.dropout(x), adj)


def load_graph(path):
    z = np.load(path)
    x = torch.from_numpy(z["features"].astype(np.float32))
    x = (x - x.mean(0)) / x.std(0)
    n = len(x)
    a = torch.eye(n)
    src, dst = torch.from_numpy(z["edges"].astype(np.int64)).T
    a[src, dst] = 1.0
    a[dst, src] = 1.0
    d = a.sum(1).rsqrt()
    return (x, d[:, None] * a * d[None, :], torch.from_numpy(z["topic"].astype(np.int64)),
            torch.from_numpy(z["train"]), torch.from_numpy(z["val"]))


def build_optimizer(spec, params):
    cls = getattr(torch.optim, spec["class"])
    return cls(params, **spec["kwargs"])


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="configs/gcn.json")
    with open(ap.parse_args().config) as fh:
        conf = json.load(fh)
    torch.manual_seed(conf["seed"])
    x, adj, y, train_idx, val_idx = load_graph(conf["graph"])
    model = GCN(x.shape[1], conf["hidden"], int(y.max()) + 1, conf["dropout"])
    opt = build_optimizer(conf["optimizer"], model.parameters())
    for step in range(1, conf["steps"] + 1):
        model.train()
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x, adj)[train_idx], y[train_idx])
        loss.backward()
        opt.step()
        if step % conf["log_every"] == 0:
            model.eval()
            with torch.no_grad():
                out = model(x, adj)
                vl = nn.functional.cross_entropy(out[val_idx], y[val_idx]).item()
                acc = (out[val_idx].argmax(1) == y[val_idx]).float().mean().item()
            print(json.dumps({"step": step, "loss": round(loss.item(), 4),
                              "val_loss": round(vl, 4), "val_acc": round(acc, 4)}))
