"""Semi-supervised node classification with a two-layer GCN on a planted-partition graph."""
import torch
import torch.nn.functional as F
from torch import nn

N, K, FEATS = 600, 4, 24


def planted_graph(seed=0, p_in=0.04, p_out=0.004):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, K, (N,), generator=g)
    same = y[:, None] == y[None, :]
    prob = torch.where(same, p_in, p_out)
    upper = torch.triu((torch.rand(N, N, generator=g) < prob).float(), diagonal=1)
    centres = torch.randn(K, FEATS, generator=g) * 0.5
    x = centres[y] + torch.randn(N, FEATS, generator=g)
    return x, y, upper + upper.T


def normalise(adj):
    a = adj + torch.eye(N)
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GCN(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.l1 = nn.Linear(FEATS, hidden)
        self.l2 = nn.Linear(hidden, K)

    def forward(self, x, a):
        h = F.dropout(F.relu(a @ self.l1(x)), 0.5, self.training)
        return a @ self.l2(h)


def main():
    torch.manual_seed(0)
    x, y, adj = planted_graph()
    a = normalise(adj)
    order = torch.randperm(N)
    train, val, test = order[:100], order[100:250], order[250:]
    net = GCN()
    opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
    best, best_state = 0.0, None
    for epoch in range(200):
        net.train()
        opt.zero_grad()
        loss = F.cross_entropy(net(x, a)[train], y[train])
        loss.backward()
        opt.step()
        net.eval()
        with torch.no_grad():
            acc = (net(x, a)[val].argmax(1) == y[val]).float().mean().item()
        if acc > best:
            best, best_state = acc, {k: v.clone() for k, v in net.state_dict().items()}
        if epoch % 25 == 0:
            print(f"{epoch:3d} loss {loss.item():.4f} val {acc:.4f}")
    net.load_state_dict(best_state)
    net.eval()
    with torch.no_grad():
        pred = net(x, a).argmax(1)
    print(f"val {best:.4f} test {(pred[test] == y[test]).float().mean().item():.4f}")


if __name__ == "__main__":
    main()
