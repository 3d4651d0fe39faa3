import sys

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

from sharpness import SharpnessAware


def rolled(x):
    """Random shift by up to one pixel (zero padding)."""
    xp = F.pad(x, (1, 1, 1, 1))
    dx, dy = torch.randint(0, 3, (2,)).tolist()
    return xp[:, :, dy:dy + 8, dx:dx + 8]


def build():
    block = lambda i, o: [nn.Conv2d(i, o, 3, padding=1, bias=False), nn.GroupNorm(4, o), nn.ReLU()]
    return nn.Sequential(*block(1, 16), *block(16, 32), nn.MaxPool2d(2), *block(32, 48),
                         nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Dropout(0.2), nn.Linear(192, 10))


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        out = net(x)
    net.train()
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main(epochs=25, bs=64):
    torch.manual_seed(6)
    d = load_digits()
    xtr, xte, ytr, yte = train_test_split(d.images, d.target, test_size=400, stratify=d.target, random_state=6)
    # pixels are 0..16
    prep = lambda a: (torch.tensor(a, dtype=torch.float32)[:, None] - 4.88) / 6.02
    xtr, xte, ytr, yte = prep(xtr), prep(xte), torch.tensor(ytr), torch.tensor(yte)

    net = build()
    base = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=5e-4)
    opt = SharpnessAware(base, rho=0.05)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(base, epochs)
    crit = nn.CrossEntropyLoss(label_smoothing=0.1)

    for epoch in range(epochs):
        for idx in torch.randperm(len(xtr)).split(bs):
            xb, yb = rolled(xtr[idx]), ytr[idx]
            loss = crit(net(xb), yb)
            loss.backward()
            opt.climb()
            crit(net(xb), yb).backward()
            opt.descend()
        sched.step()
        if epoch % 3 == 0 or epoch == epochs - 1:
            tl, ta = evaluate(net, xte, yte)
            print(f"{epoch:3d}  smoothed loss {loss.item():.3f}  test nll {tl:.3f}  test acc {ta:.4f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
