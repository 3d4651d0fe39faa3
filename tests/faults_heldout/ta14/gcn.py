"""Topic classification of papers in a citation graph (semi-supervised GCN)."""
import logging
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

logging.basicConfig(format="%(message)s", level=logging.INFO)


def load_graph(path):
    z = np.load(path)
    x = torch.from_numpy(z["words"].astype(np.float32))
    x = x / x.sum(1, keepdim=True).clamp(min=1.0)
    n = len(x)
    src, dst = torch.from_numpy(z["edges"].astype(np.int64)).t()
    a = torch.eye(n)
    a[src, dst] = 1.0
    a[dst, src] = 1.0
    d = a.sum(1).rsqrt()
    a_hat = (d[:, None] * a * d[None, :]).to_sparse()
    y = torch.from_numpy(z["topic"].astype(np.int64))
    return x, a_hat, y


def make_masks(y, per_class, n_val, seed):
    g = torch.Generator().manual_seed(seed)
    perm = torch.randperm(len(y), generator=g)
    train = torch.zeros(len(y), dtype=torch.bool)
    for c in range(int(y.max()) + 1):
        train[perm[y[perm] == c][:per_class]] = True
    rest = perm[~train[perm]]
    val, test = torch.zeros_like(train), torch.zeros_like(train)
    val[rest[:n_val]] = True
    test[rest[n_val:]] = True
    return train, val, test


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout=0.5):
        super().__init__()
        self.lin1 = nn.Linear(n_in, hidden)
        self.lin2 = nn.Linear(hidden, n_out)
        self.dropout = dropout

    def forward(self, x, a):
        x = F.dropout(x, self.dropout, self.training)
        h = F.relu(torch.sparse.mm(a, self.lin1(x)))
        h = F.dropout(h, self.dropout, self.training)
        return torch.sparse.mm(a, self.lin2(h))


def main():
    torch.manual_seed(42)
    x, a, y = load_graph(Path(__file__).parent / "papers.npz")
    train, val, test = make_masks(y, per_class=20, n_val=300, seed=42)
    model = GCN(x.shape[1], 32, int(y.max()) + 1)
    opt = torch.optim.Adam([
        {"params": model.lin1.parameters(), "weight_decay": 5e-4},
        {"params": model.lin2.parameters(), "weight_decay": 0.0},
    ], lr=0.02)

    best_val, best_state = 0.0, None
    for epoch in range(1, 201):
        model.train()
        loss = F.cross_entropy(model(x, a)[train], y[train])
        opt.zero_grad()
        loss.backward()
        opt.step()

        model.eval()
        with torch.no_grad():
            pred = model(x, a).argmax(1)
        acc = (pred == y)[val].float().mean().item()
        if acc > best_val:
            best_val = acc
            best_state = {k: v.clone() for k, v in model.state_dict().items()}
        if epoch % 20 == 0:
            logging.info("epoch %3d  loss %.4f  train acc %.3f  val acc %.3f", epoch, loss.item(),
                         (pred == y)[train].float().mean().item(), acc)

    model.load_state_dict(best_state)
    model.eval()
    with torch.no_grad():
        test_acc = (model(x, a).argmax(1) == y)[test].float().mean().item()
    logging.info("best val %.3f, test %.3f", best_val, test_acc)


if __name__ == "__main__":
    main()
