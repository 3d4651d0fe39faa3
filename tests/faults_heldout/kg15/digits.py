"""Digits with a small residual CNN. Scores are given for the images trained on and for those kept back."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class Res(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(c, c, 3, padding=1, bias=False), nn.BatchNorm2d(c), nn.ReLU(),
                               nn.Conv2d(c, c, 3, padding=1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x):
        return F.relu(x + self.f(x))


def build(c=20):
    return nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.ReLU(), Res(c), nn.MaxPool2d(2), Res(c),
                         nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Dropout(0.3), nn.Linear(4 * c, 10))


def jitter(x):
    """Shift every image of the batch by at most one pixel."""
    dy, dx = torch.randint(-1, 2, (2,)).tolist()
    padded = F.pad(x, (1, 1, 1, 1), value=float(x.min()))
    return padded[:, :, 1 + dy:9 + dy, 1 + dx:9 + dx]


def score(net, x, y):
    net.eval()
    with torch.no_grad():
        out = torch.cat([net(b) for b in x.split(200)])
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(44)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None]
    y = torch.tensor(d.target)
    p = torch.randperm(len(y))
    x, y = x[p], y[p]
    fit, kept = slice(0, 1350), slice(1350, None)
    x = (x - x[fit].mean()) / x[fit].std()

    net = build()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=5e-4)
    epochs, batch = 14, 54
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.12, total_steps=epochs * (1350 // batch))
    for epoch in range(epochs):
        net.train()
        total = 0.0
        for idx in torch.randperm(1350).split(batch):
            loss = F.cross_entropy(net(jitter(x[idx])), y[idx], label_smoothing=0.1)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        fl, fa = score(net, x[fit], y[fit])
        kl, ka = score(net, x[kept], y[kept])
        print(f"{epoch:2d} objective {total / 25:.3f} | train images: loss {fl:.3f} acc {fa:.3f} | kept images: loss {kl:.3f} acc {ka:.3f}")


if __name__ == "__main__":
    main()
