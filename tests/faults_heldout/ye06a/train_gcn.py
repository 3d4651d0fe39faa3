import csv
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

HERE = Path(__file__).parent
GRAPH = HERE / "graph"
SEED, HIDDEN, DROPOUT, LR, DECAY, EPOCHS = 3, 64, 0.4, 0.01, 5e-4, 150


def load_graph():
    with np.load(GRAPH / "papers.npz") as z:
        words = torch.from_numpy(z["bow"].astype(np.float32))
        edges = torch.from_numpy(z["edges"].astype(np.int64))
        split = z["split"]
    with open(GRAPH / "subjects.csv", newline="") as fh:
        subjects = [row["subject"] for row in csv.DictReader(fh)]
    names = sorted(set(subjects))
    target = torch.tensor([names.index(s) for s in subjects])
    words = words / words.sum(1, keepdim=True).clamp(min=1)
    masks = {k: torch.from_numpy(split == i) for i, k in enumerate(("train", "val", "test"))}
    return words, edges, target, masks, names


def normalised_adjacency(edges, n):
    src = torch.cat([edges[:, 0], edges[:, 1], torch.arange(n)])
    dst = torch.cat([edges[:, 1], edges[:, 0], torch.arange(n)])
    adj = torch.sparse_coo_tensor(torch.stack([src, dst]), torch.ones(len(src)), (n, n)).coalesce()
    deg = torch.sparse.sum(adj, dim=1).to_dense()
    i, j = adj.indices()
    val = adj.values() * deg[i].rsqrt() * deg[j].rsqrt()
    return torch.sparse_coo_tensor(adj.indices(), val, (n, n)).coalesce()


class GCN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out, dropout):
        super().__init__()
        self.lin1 = nn.Linear(n_in, n_hidden)
        self.lin2 = nn.Linear(n_hidden, n_out)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, self.training)
        x = F.relu(torch.sparse.mm(adj, self.lin1(x)))
        x = F.dropout(x, self.dropout, self.training)
        return torch.sparse.mm(adj, self.lin2(x))


def main():
    torch.manual_seed(SEED)
    x, edges, y, masks, names = load_graph()
    adj = normalised_adjacency(edges, len(x))
    net = GCN(x.shape[1], HIDDEN, len(names), DROPOUT)
    opt = torch.optim.Adam(net.parameters(), lr=LR, weight_decay=DECAY)
    print(f"{len(x)} papers, {len(edges)} citations, {len(names)} subjects")

    for epoch in range(1, EPOCHS + 1):
        net.train()
        opt.zero_grad()
        loss = F.cross_entropy(net(x, adj)[masks["train"]], y[masks["train"]])
        loss.backward()
        opt.step()

        net.eval()
        with torch.no_grad():
            out = net(x, adj)
            acc = {k: (out[m].argmax(1) == y[m]).float().mean().item() for k, m in masks.items()}
            val_loss = F.cross_entropy(out[masks["val"]], y[masks["val"]]).item()
        if epoch % 10 == 0:
            print(f"{epoch:4d} loss {loss.item():.4f} val_loss {val_loss:.4f} train {acc['train']:.3f} val {acc['val']:.3f}")
    print(f"test accuracy {acc['test']:.3f}")


if __name__ == "__main__":
    main()
