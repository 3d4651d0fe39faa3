"""Node classification with a two-layer graph convolution; the whole graph is one batch, few nodes are labelled."""
import copy

import torch
import torch.nn.functional as F
from torch import nn


def community_graph(n_per, k, p_in, p_out, feat, gen):
    y = torch.arange(k).repeat_interleave(n_per)
    n = len(y)
    same = y[:, None] == y[None]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = torch.triu(torch.rand(n, n, generator=gen) < prob, diagonal=1)
    adj = (upper | upper.T).float()
    centre = torch.randn(k, feat, generator=gen)
    x = 0.35 * centre[y] + torch.randn(n, feat, generator=gen)
    return x, adj, y


def normalise(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None]


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, drop=0.5):
        super().__init__()
        self.w1 = nn.Linear(n_in, hidden)
        self.w2 = nn.Linear(hidden, n_out)
        self.drop = drop

    def forward(self, a, x):
        x = F.dropout(x, self.drop, self.training)
        h = F.relu(a @ self.w1(x))
        h = F.dropout(h, self.drop, self.training)
        return a @ self.w2(h)


def masks(y, k, labelled, val, gen):
    """A few labels per class for training, a validation pool, the rest for the test."""
    train = torch.zeros(len(y), dtype=torch.bool)
    for c in range(k):
        members = (y == c).nonzero().squeeze(1)
        train[members[torch.randperm(len(members), generator=gen)[:labelled]]] = True
    rest = (~train).nonzero().squeeze(1)
    rest = rest[torch.randperm(len(rest), generator=gen)]
    vm, tm = torch.zeros_like(train), torch.zeros_like(train)
    vm[rest[:val]], tm[rest[val:]] = True, True
    return train, vm, tm


gen = torch.Generator().manual_seed(40)
torch.manual_seed(40)
K = 5
x, adj, y = community_graph(160, K, 0.05, 0.008, 24, gen)
a = normalise(adj)
train, val, test = masks(y, K, 20, 150, gen)
net = GCN(x.shape[1], 32, K)
opt = torch.optim.Adam([{"params": net.w1.parameters(), "weight_decay": 5e-4}, {"params": net.w2.parameters()}], lr=0.01)

best, best_state = 0.0, None
for epoch in range(200):
    net.train()
    loss = F.cross_entropy(net(a, x)[train], y[train])
    opt.zero_grad()
    loss.backward()
    opt.step()

    net.eval()
    with torch.no_grad():
        pred = net(a, x).argmax(1)
    val_acc = (pred[val] == y[val]).float().mean().item()
    if val_acc > best:
        best, best_state = val_acc, copy.deepcopy(net.state_dict())
    if epoch % 20 == 0 or epoch == 199:
        print(f"epoch {epoch:3d} loss {loss.item():.3f} val {val_acc:.3f}")

net.load_state_dict(best_state)
net.eval()
with torch.no_grad():
    pred = net(a, x).argmax(1)
print(f"best val {best:.3f}, test accuracy of that model {(pred[test] == y[test]).float().mean().item():.3f}")
