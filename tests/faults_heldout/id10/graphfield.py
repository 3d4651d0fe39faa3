# Field of research from the words of a paper and its links.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Conv(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.own = nn.Linear(cin, cout)
        self.near = nn.Linear(cin, cout, bias=False)

    def forward(self, x, adj):
        return self.own(x) + self.near(adj @ x)


class FieldNet(nn.Module):
    def __init__(self, cin, hidden, classes):
        super().__init__()
        self.c1, self.c2 = Conv(cin, hidden), Conv(hidden, classes)

    def forward(self, x, adj):
        h = F.dropout(F.relu(self.c1(x, adj)), 0.4, self.training)
        return self.c2(h, adj)


def load(path):
    z = np.load(path)
    x = torch.from_numpy(z["words"].astype(np.float32))
    y = torch.from_numpy(z["field"].astype(np.int64))
    e = torch.from_numpy(z["links"].astype(np.int64)).T
    n = len(y)
    e = torch.cat([e, e.flip(0)], 1)
    deg = torch.bincount(e[0], minlength=n).clamp(min=1).float()
    adj = torch.zeros(n, n)
    adj[e[0], e[1]] = 1.0 / deg[e[0]]
    return x, y, adj


torch.manual_seed(1)
x, y, adj = load("papers.npz")
order = torch.randperm(len(y))
train, val, test = order[:700], order[700:900], order[900:]
x = (x - x[train].mean(0)) / x[train].std(0)

net = FieldNet(x.shape[1], 16, int(y.max()) + 1)
opt = torch.optim.Adam([
    {"params": net.c1.parameters(), "weight_decay": 5e-3},
    {"params": net.c2.parameters(), "weight_decay": 0.0},
], lr=0.01)

best = (float("inf"), None, 0)
for epoch in range(110):
    net.train()
    loss = F.cross_entropy(net(x, adj)[train], y[train])
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        out = net(x, adj)
        vl = F.cross_entropy(out[val], y[val]).item()
        accs = [(out[s].argmax(1) == y[s]).float().mean().item() for s in (train, val)]
    if vl < best[0]:
        best = (vl, {k: v.clone() for k, v in net.state_dict().items()}, epoch)
    if epoch % 10 == 9:
        print(f"{epoch + 1:3d}  loss {loss.item():.4f}  val {vl:.4f}  acc train {accs[0]:.3f} val {accs[1]:.3f}")

net.load_state_dict(best[1])
net.eval()
with torch.no_grad():
    out = net(x, adj)[test]
    words_only = net(x, adj * 0.0)[test]
print(f"weights of epoch {best[2] + 1}: test acc {(out.argmax(1) == y[test]).float().mean():.3f}, "
      f"links cut {(words_only.argmax(1) == y[test]).float().mean():.3f}")
