import argparse

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional as F


class Trunk(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.fc1 = nn.Linear(64, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.fc3 = nn.Linear(hidden, hidden)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return F.relu(self.fc3(x))


class DigitNet(nn.Module):
    def __init__(self, hidden, classes):
        super().__init__()
        self.trunk = Trunk(hidden)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.head(self.trunk(x))


def batches(x, y, size, rng):
    order = rng.permutation(len(x))
    for i in range(0, len(x) - size + 1, size):
        j = torch.from_numpy(order[i:i + size])
        yield x[j], y[j]


def jitter(x, rng, scale=0.12):
    """Scanner noise."""
    return x + scale * torch.from_numpy(rng.standard_normal(x.shape, dtype=np.float32))


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        out = net(x)
    net.train()
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--trunk", default="trunk.pt", help="weights from the denoising task")
    p.add_argument("--hidden", type=int, default=64)
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--lr", type=float, default=5e-4)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--seed", type=int, default=0)
    args = p.parse_args()

    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    digits = load_digits()
    xtr, xva, ytr, yva = train_test_split(
        digits.data.astype(np.float32) / 16.0, digits.target,
        test_size=0.25, stratify=digits.target, random_state=1)
    xtr, xva, ytr, yva = map(torch.from_numpy, (xtr, xva, ytr, yva))

    net = DigitNet(args.hidden, 10)
    net.trunk.load_state_dict(torch.load(args.trunk, weights_only=True))
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    for epoch in range(1, args.epochs + 1):
        total, n = 0.0, 0
        for x, y in batches(xtr, ytr, args.batch, rng):
            loss = F.cross_entropy(net(jitter(x, rng)), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
            n += 1
        if epoch % 5 == 0 or epoch == 1:
            vl, acc = evaluate(net, xva, yva)
            print(f"epoch {epoch}: loss {total / n:.4f}  val loss {vl:.4f}  val acc {acc:.3f}")


if __name__ == "__main__":
    main()
