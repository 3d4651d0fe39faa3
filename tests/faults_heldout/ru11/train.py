import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class Augment:
    """Small rotation, scale and translation, one affine map per image."""

    def __init__(self, degrees=12, shift=0.12, scale=0.1):
        self.degrees, self.shift, self.scale = degrees, shift, scale

    def __call__(self, x):
        n = x.size(0)
        ang = (torch.rand(n) * 2 - 1) * math.radians(self.degrees)
        s = 1 + (torch.rand(n) * 2 - 1) * self.scale
        t = (torch.rand(n, 2) * 2 - 1) * self.shift
        theta = torch.stack([
            torch.stack([ang.cos() * s, -ang.sin() * s, t[:, 0]], 1),
            torch.stack([ang.sin() * s, ang.cos() * s, t[:, 1]], 1),
        ], 1)
        grid = F.affine_grid(theta, list(x.shape), align_corners=False)
        return F.grid_sample(x, grid, align_corners=False)


class Residual(nn.Module):
    def __init__(self, c_in, c_out, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(c_out)
        self.conv2 = nn.Conv2d(c_out, c_out, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(c_out)
        self.skip = nn.Conv2d(c_in, c_out, 1, stride, bias=False)

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(h)) + self.skip(x))


class TinyResNet(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.stages = nn.Sequential(Residual(1, 16, 1), Residual(16, 32, 2), Residual(32, 48, 2))
        self.fc = nn.Linear(48, classes)

    def forward(self, x):
        return self.fc(self.stages(x).mean((2, 3)))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--max-lr", type=float, default=5e-3)
    a = p.parse_args()
    torch.manual_seed(1234)

    x, y = load_digits(return_X_y=True)
    x = torch.tensor(x, dtype=torch.float32).view(-1, 1, 8, 8) / 16
    y = torch.tensor(y)
    tr, va = train_test_split(range(len(y)), test_size=0.25, random_state=1234, stratify=y)
    mean, std = x[tr].mean(), x[tr].std()
    xt, yt, xv, yv = x[tr], y[tr], (x[va] - mean) / std, y[va]

    augment = Augment()
    net = TinyResNet()
    steps = len(xt) // a.batch
    opt = torch.optim.AdamW(net.parameters(), lr=a.max_lr, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, a.max_lr, total_steps=steps * a.epochs)
    ce = nn.CrossEntropyLoss(label_smoothing=0.05)

    for ep in range(a.epochs):
        net.train()
        order = torch.randperm(len(xt))
        mean_loss = 0.0
        for s in range(steps):
            i = order[s * a.batch:(s + 1) * a.batch]
            loss = ce(net((augment(xt[i]) - mean) / std), yt[i])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            mean_loss += loss.item() / steps
        net.eval()
        with torch.no_grad():
            z = net(xv)
        print(f"{ep + 1:2d}/{a.epochs} train {mean_loss:.3f} val {F.cross_entropy(z, yv):.3f} "
              f"acc {(z.argmax(1) == yv).float().mean():.4f}")


if __name__ == "__main__":
    main()
