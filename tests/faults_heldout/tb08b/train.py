# Semi-supervised node classification on a citation-style graph, two-layer GCN.
import configparser
import os

import numpy as np
import torch

here = os.path.dirname(os.path.abspath(__file__))
ini = configparser.ConfigParser()
ini.read(os.path.join(here, "gcn.ini"))
torch.manual_seed(ini.getint("run", "seed"))


def normalized_adjacency(edges, n):
    a = torch.eye(n)
    a[edges[0], edges[1]] = 1.0
    a[edges[1], edges[0]] = 1.0
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GraphConv(torch.nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(n_in, n_out))
        self.bias = torch.nn.Parameter(torch.zeros(n_out))
        torch.nn.init.xavier_uniform_(self.weight)

    def forward(self, adj, h):
        return adj @ (h @ self.weight) + self.bias


class GCN(torch.nn.Module):
    def __init__(self, n_in, n_hidden, n_out, dropout):
        super().__init__()
        self.conv1 = GraphConv(n_in, n_hidden)
        self.conv2 = GraphConv(n_hidden, n_out)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, adj, x):
        h = torch.relu(self.conv1(adj, self.dropout(x)))
        return self.conv2(adj, self.dropout(h))


g = np.load(os.path.join(here, "papers.npz"))
x = torch.tensor(g["bow"], dtype=torch.float32)
x = x / x.sum(1, keepdim=True).clamp(min=1)
x = (x - x.mean(0)) / x.std(0).clamp(min=1e-6)
y = torch.tensor(g["topic"], dtype=torch.long)
adj = normalized_adjacency(torch.tensor(g["edges"], dtype=torch.long), len(y))
train_mask = torch.tensor(g["train_mask"])
val_mask = torch.tensor(g["val_mask"])
n_topics = int(y.max()) + 1
print("nodes", len(y), "edges", g["edges"].shape[1], "labelled", int(train_mask.sum()))

net = GCN(x.shape[1], ini.getint("model", "hidden"), n_topics, ini.getfloat("model", "dropout"))
optim = torch.optim.Adam(
    net.parameters(),
    lr=ini.getfloat("optim", "lr"),
    weight_decay=ini.getfloat("optim", "weight_decay"),
)
xent = torch.nn.CrossEntropyLoss()

for it in range(1, ini.getint("run", "iterations") + 1):
    net.train()
    optim.zero_grad()
    loss = xent(net(adj, x)[train_mask], y[train_mask])
    loss.backward()
    optim.step()
    if it % ini.getint("run", "report") == 0:
        net.eval()
        with torch.no_grad():
            out = net(adj, x)
            val_loss = xent(out[val_mask], y[val_mask]).item()
            acc = {k: (out[m].argmax(1) == y[m]).float().mean().item()
                   for k, m in (("train", train_mask), ("val", val_mask))}
        print(f"it {it:4d}  loss {loss.item():.4f}  val loss {val_loss:.4f}  "
              f"acc train {acc['train']:.3f} val {acc['val']:.3f}")
