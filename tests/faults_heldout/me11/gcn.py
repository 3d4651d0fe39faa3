import torch
import torch.nn.functional as F
from torch import nn

from graph import load


class GCN(nn.Module):
    def __init__(self, d, h, c, p=0.5):
        super().__init__()
        self.w1 = nn.Linear(d, h, bias=False)
        self.b1 = nn.Parameter(torch.zeros(h))
        self.w2 = nn.Linear(h, c, bias=False)
        self.b2 = nn.Parameter(torch.zeros(c))
        self.p = p
        nn.init.xavier_uniform_(self.w1.weight)
        nn.init.xavier_uniform_(self.w2.weight)

    def forward(self, x, adj):
        x = F.dropout(x, self.p, self.training)
        h = F.relu(torch.sparse.mm(adj, self.w1(x)) + self.b1)
        h = F.dropout(h, self.p, self.training)
        return torch.sparse.mm(adj, self.w2(h)) + self.b2


@torch.no_grad()
def report(net, x, adj, y, masks):
    net.eval()
    z = net(x, adj)
    return [(F.cross_entropy(z[m], y[m]).item(), (z[m].argmax(1) == y[m]).float().mean().item()) for m in masks]


torch.manual_seed(14)
x, adj, y, (train, val, test) = load("papers.npz")
net = GCN(x.shape[1], 16, int(y.max()) + 1)
opt = torch.optim.Adam([{"params": net.w1.parameters(), "weight_decay": 5e-4},
                        {"params": [net.b1, net.b2, *net.w2.parameters()], "weight_decay": 0.0}], lr=0.02)
for epoch in range(1, 301):
    net.train()
    opt.zero_grad()
    loss = F.cross_entropy(net(x, adj)[train], y[train])
    loss.backward()
    opt.step()
    if epoch % 25 == 0:
        (tl, ta), (vl, va), _ = report(net, x, adj, y, (train, val, test))
        print(f"{epoch:4d}  loss {loss.item():.4f}  labelled {tl:.4f}/{ta:.3f}  val {vl:.4f}/{va:.3f}")
print("test loss %.4f  accuracy %.4f" % report(net, x, adj, y, (test,))[0],
      f" most frequent topic {torch.bincount(y[test]).max().item() / test.sum().item():.3f}")
