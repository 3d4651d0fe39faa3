#!/usr/bin/env python
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


torch.manual_seed(0)
X, y = load_digits(return_X_y=True)
Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.25, stratify=y, random_state=0)
to = lambda a: torch.tensor(a / 16.0 - 0.3, dtype=torch.float32).view(-1, 1, 8, 8)
Xa, Xb, ya, yb = to(Xa), to(Xb), torch.tensor(ya), torch.tensor(yb)

net = nn.Sequential(block(1, 16), block(16, 32), nn.MaxPool2d(2), block(32, 48), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(48, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=2e-3, nesterov=True)
EPOCHS, B = 12, 64
steps = EPOCHS * -(-len(Xa) // B)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)

for ep in range(EPOCHS):
    net.train()
    s = 0.0
    for ix in torch.randperm(len(Xa)).split(B):
        loss = nn.functional.cross_entropy(net(Xa[ix]), ya[ix])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        s += loss.item() * len(ix)
    net.eval()
    with torch.no_grad():
        out = net(Xb)
    print("ep %2d  train %.4f  test %.4f  acc %.4f" % (ep, s / len(Xa), nn.functional.cross_entropy(out, yb).item(), (out.argmax(1) == yb).float().mean().item()))
