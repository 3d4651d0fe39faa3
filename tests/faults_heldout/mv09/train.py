import argparse

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


class Block(nn.Module):
    """residual branch starts as the identity"""

    def __init__(self, ch):
        super().__init__()
        self.c1 = nn.Conv2d(ch, ch, 3, padding=1)
        self.c2 = nn.Conv2d(ch, ch, 3, padding=1)
        nn.init.kaiming_normal_(self.c1.weight)
        nn.init.zeros_(self.c1.bias)
        nn.init.zeros_(self.c2.weight)
        nn.init.zeros_(self.c2.bias)

    def forward(self, x):
        return x + self.c2(F.relu(self.c1(F.relu(x))))


class Net(nn.Module):
    def __init__(self, ch=24, depth=6, classes=10):
        super().__init__()
        self.stem = nn.Conv2d(1, ch, 3, padding=1)
        self.blocks = nn.ModuleList(Block(ch) for _ in range(depth))
        self.head = nn.Linear(ch * 16, classes)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, x):
        x = self.stem(x)
        for i, b in enumerate(self.blocks):
            x = b(x)
            if i == 1:
                x = F.avg_pool2d(x, 2)
        return self.head(F.relu(x).flatten(1))


parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=14)
parser.add_argument("--lr", type=float, default=0.02)
parser.add_argument("--seed", type=int, default=6)
args = parser.parse_args()
torch.manual_seed(args.seed)

X, y = load_digits(return_X_y=True)
X = torch.tensor(X, dtype=torch.float32).view(-1, 1, 8, 8)
X = (X - 4.9) / 6.0
y = torch.tensor(y)
order = torch.tensor(np.random.default_rng(args.seed).permutation(len(y)))
tr, te = order[:1350], order[1350:]



def shifted(x):
    """each image moved by up to one pixel"""
    big = F.pad(x, (1, 1, 1, 1), value=-4.9 / 6.0)
    dx, dy = torch.randint(0, 3, (2, len(x))).tolist()
    return torch.stack([im[:, v:v + 8, u:u + 8] for im, u, v in zip(big, dx, dy)])


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
per_epoch = -(-len(tr) // 50)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=args.lr, total_steps=args.epochs * per_epoch)
for epoch in range(1, args.epochs + 1):
    net.train()
    losses = []
    for idx in tr[torch.randperm(len(tr))].split(50):
        loss = F.cross_entropy(net(shifted(X[idx])), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        z = net(X[te])
    print(f"{epoch:2d}: first {losses[0]:.3f} mean {np.mean(losses):.4f} | test loss {F.cross_entropy(z, y[te]):.4f} "
          f"acc {(z.argmax(1) == y[te]).float().mean():.4f}")
