"""Node classification on a small citation graph."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def load(path):
    z = np.load(path)
    x = torch.tensor(z["x"].astype(np.float32))
    y = torch.tensor(z["y"].astype(np.int64))
    order = torch.tensor(z["order"].astype(np.int64))
    return x, y, torch.tensor(z["edges"].astype(np.int64)), order[:350], order[350:500], order[500:]


def build_adjacency(edges, n):
    src = torch.cat([edges[:, 0], edges[:, 1], torch.arange(n)])
    dst = torch.cat([edges[:, 1], edges[:, 0], torch.arange(n)])
    weight = torch.ones(len(src))
    return torch.sparse_coo_tensor(torch.stack([dst, src]), weight, (n, n)).coalesce()


class Conv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.own = nn.Linear(d_in, d_out)
        self.nbr = nn.Linear(d_in, d_out, bias=False)

    def forward(self, h, adj):
        return self.own(h) + torch.sparse.mm(adj, self.nbr(h))


class Net(nn.Module):
    def __init__(self, d, hidden, classes, layers, p):
        super().__init__()
        self.enc = nn.Linear(d, hidden)
        self.convs = nn.ModuleList(Conv(hidden, hidden) for _ in range(layers))
        self.dec = nn.Linear(hidden, classes)
        self.p = p

    def forward(self, x, adj):
        h = F.relu(self.enc(x))
        for conv in self.convs:
            h = h + F.relu(conv(F.dropout(h, self.p, self.training), adj))
        return self.dec(h)


def main():
    torch.manual_seed(8)
    x, y, edges, tr, va, te = load("citations.npz")
    adj = build_adjacency(edges, len(x))
    net = Net(x.shape[1], 32, int(y.max()) + 1, layers=6, p=0.4)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=5e-4)

    best, best_state, since = float("inf"), None, 0
    for epoch in range(300):
        net.train()
        opt.zero_grad()
        loss = F.cross_entropy(net(x, adj)[tr], y[tr])
        loss.backward()
        opt.step()

        net.eval()
        with torch.no_grad():
            logits = net(x, adj)
            vl = F.cross_entropy(logits[va], y[va]).item()
        if vl < best:
            best, since = vl, 0
            best_state = {k: v.clone() for k, v in net.state_dict().items()}
        else:
            since += 1
        if epoch % 15 == 0:
            acc = (logits[va].argmax(1) == y[va]).float().mean().item()
            print(f"{epoch:3d} train {loss.item():.4g} val {vl:.4g} acc {acc:.3f}")
        if since >= 60:
            print("stopping at epoch", epoch)
            break

    net.load_state_dict(best_state)
    net.eval()
    with torch.no_grad():
        logits = net(x, adj)
        print(f"test loss {F.cross_entropy(logits[te], y[te]):.4g} "
              f"acc {(logits[te].argmax(1) == y[te]).float().mean():.3f}")


if __name__ == "__main__":
    main()
