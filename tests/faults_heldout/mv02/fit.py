import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self, d, width):
        super().__init__()
        self.a = nn.Linear(d, width)
        self.b = nn.Linear(width, 1)

    def forward(self, x):
        return self.b(F.silu(self.a(x))).squeeze(1)


def fit(X, y, width, wd, epochs, batch=32):
    X, y = torch.as_tensor(X), torch.as_tensor(y)
    net = Net(X.shape[1], width)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=wd)
    history = []
    for _ in range(epochs):
        total = 0.0
        for idx in torch.randperm(len(y)).split(batch):
            loss = F.binary_cross_entropy_with_logits(net(X[idx]), y[idx])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        history.append(total / len(y))
    return net, history


@torch.no_grad()
def score(net, X, y):
    z = net(torch.as_tensor(X))
    y = torch.as_tensor(y)
    return F.binary_cross_entropy_with_logits(z, y).item(), ((z > 0).float() == y).float().mean().item()
