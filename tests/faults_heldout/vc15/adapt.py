"""Adapt a digit classifier to a re-mounted camera with low-rank adapters on a fixed base network."""
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F

torch.manual_seed(14)
HERE = Path(__file__).parent


class LowRankLinear(nn.Module):
    """y = W x + b + (alpha / r) * U V x, with W and b taken from the base network."""

    def __init__(self, base: nn.Linear, rank: int = 6, alpha: float = 12.0):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.down = nn.Parameter(torch.zeros(rank, base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scale * F.linear(F.linear(x, self.down), self.up)


def base_network():
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))
    net.load_state_dict(torch.load(HERE / "base.pt", weights_only=True))
    return net


def add_adapters(net):
    for name, child in list(net.named_children()):
        if isinstance(child, nn.Linear):
            setattr(net, name, LowRankLinear(child))
    return net


def sideways():
    """The new domain: the camera hangs rotated by 90 degrees, with lower contrast and some noise."""
    digits = load_digits()
    x = torch.tensor(digits.images / 16.0, dtype=torch.float32)
    x = 0.8 * x.rot90(1, dims=(1, 2)) + 0.1
    x = (x + 0.05 * torch.randn_like(x)).flatten(1)
    y = torch.tensor(digits.target)
    order = torch.randperm(len(y))
    return x[order[:1200]], y[order[:1200]], x[order[1200:]], y[order[1200:]]


x_train, y_train, x_test, y_test = sideways()
model = add_adapters(base_network())
trainable = [p for p in model.parameters() if p.requires_grad]
print(f"training {sum(p.numel() for p in trainable)} of {sum(p.numel() for p in model.parameters())} parameters")
optimizer = torch.optim.AdamW(trainable, lr=3e-3, weight_decay=0.0)

with torch.no_grad():
    print(f"before adaptation: test acc {(model(x_test).argmax(1) == y_test).float().mean():.3f}")
for epoch in range(1, 26):
    total = 0.0
    for idx in torch.randperm(len(y_train)).split(32):
        loss = F.cross_entropy(model(x_train[idx]), y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    if epoch % 5 == 0:
        with torch.no_grad():
            acc = (model(x_test).argmax(1) == y_test).float().mean()
        print(f"epoch {epoch:2d}: loss {total / len(y_train):.4f}  test acc {acc:.3f}")
