from dataclasses import dataclass, field
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Run:
    file: str = "citations.npz"
    hidden: int = 32
    dropout: float = 0.5
    lr: float = 0.01
    weight_decay: float = 5e-4
    steps: int = 150
    seed: int = 0
    shares: tuple = field(default=(0.3, 0.2))


def load(run):
    z = np.load(run.file)
    x = torch.from_numpy(np.unpackbits(z["words"], axis=1)[:, :60].astype(np.float32))
    x = x / x.sum(1, keepdim=True).clamp(min=1)
    y = torch.from_numpy(z["field"].astype(np.int64))
    n = len(y)
    a, b = torch.from_numpy(z["edges"].astype(np.int64)).T
    loops = torch.arange(n)
    row, col = torch.cat([a, b, loops]), torch.cat([b, a, loops])
    deg = torch.bincount(row, minlength=n).float()
    value = (deg[row] * deg[col]).rsqrt()
    adj = torch.sparse_coo_tensor(torch.stack([row, col]), value, (n, n)).coalesce().to_sparse_csr()
    perm = torch.randperm(n, generator=torch.Generator().manual_seed(run.seed))
    c1 = int(run.shares[0] * n)
    c2 = c1 + int(run.shares[1] * n)
    return x, y, adj, perm[:c1], perm[c1:c2], perm[c2:]


class Gcn(nn.Module):
    def __init__(self, i, h, o, dropout):
        super().__init__()
        self.lin1, self.lin2 = nn.Linear(i, h), nn.Linear(h, o)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, self.training)
        x = F.relu(adj @ self.lin1(x))
        x = F.dropout(x, self.dropout, self.training)
        return adj @ self.lin2(x)


def fit(model, run, data, quiet=False):
    x, y, adj, tr, va, te = data
    opt = torch.optim.Adam(model.parameters(), lr=run.lr, weight_decay=run.weight_decay)
    best, state = 0.0, None
    for step in range(run.steps):
        # the whole graph is seen at every step, only the labels of the training papers are used
        model.train()
        loss = F.cross_entropy(model(x, adj)[tr], y[tr])
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            hit = (model(x, adj).argmax(1) == y).float()
        acc = [hit[i].mean().item() for i in (tr, va, te)]
        if acc[1] > best:
            best, state, result = acc[1], step, acc
        if not quiet and step % 25 == 24:
            print(f"{step + 1:4d} loss {loss.item():.3f} train {acc[0]:.3f} val {acc[1]:.3f}")
    print(f"{type(model).__name__}: best at {state}, train {result[0]:.3f} val {result[1]:.3f} test {result[2]:.3f}")


def main():
    run = Run()
    torch.manual_seed(run.seed)
    data = load(run)
    fit(Gcn(60, run.hidden, 6, run.dropout), run, data)


if __name__ == "__main__":
    main()
