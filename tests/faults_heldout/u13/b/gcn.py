"""Inductive node classification on many small graphs with a two-layer graph convolution."""
import configparser
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

ROOT = os.path.dirname(os.path.abspath(__file__))
cp = configparser.ConfigParser()
cp.read(os.path.join(ROOT, "settings.ini"))
OPT = cp["optimiser"]


def normalised(adj):
    adj = adj + torch.eye(adj.shape[-1])
    d = adj.sum(-1).rsqrt()
    return d.unsqueeze(-1) * adj * d.unsqueeze(-2)


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.own = nn.Linear(d_in, d_out)
        self.nbr = nn.Linear(d_in, d_out, bias=False)

    def forward(self, h, a):
        return self.own(h) + self.nbr(a @ h)


class GCN(nn.Module):
    def __init__(self, d_in, hidden, classes):
        super().__init__()
        self.g1, self.g2 = GraphConv(d_in, hidden), GraphConv(hidden, hidden)
        self.out = nn.Linear(hidden, classes)

    def forward(self, h, a):
        h = F.relu(self.g1(h, a))
        h = F.relu(self.g2(h, a))
        return self.out(h)


def load():
    f = np.load(os.path.join(ROOT, "graphs.npz"))
    adj = normalised(torch.from_numpy(f["adj"]).float())
    return adj, torch.from_numpy(f["x"]).float(), torch.from_numpy(f["y"]).long()


def train():
    torch.manual_seed(cp["run"].getint("seed"))
    adj, x, y = load()
    n_train = int(0.8 * len(y))
    model = GCN(x.shape[-1], 32, int(y.max()) + 1)
    opt = torch.optim.SGD(model.parameters(), lr=OPT.getfloat("lr"), momentum=OPT.getfloat("momentum"))
    bs = OPT.getint("graphs_per_batch")
    for epoch in range(1, cp["run"].getint("epochs") + 1):
        model.train()
        running = []
        for idx in torch.randperm(n_train).split(bs):
            logits = model(x[idx], adj[idx])
            loss = F.cross_entropy(logits.flatten(0, 1), y[idx].flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), OPT.getfloat("max_grad_norm"))
            opt.step()
            running.append(loss.item())
        if epoch % 5 == 0:
            model.eval()
            with torch.no_grad():
                acc = (model(x[n_train:], adj[n_train:]).argmax(-1) == y[n_train:]).float().mean().item()
            print(f"epoch={epoch} loss={np.mean(running):.4f} held_out_acc={acc:.4f}")


train()
