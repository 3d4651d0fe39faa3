import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset


class DigitSet(Dataset):
    def __init__(self, images, labels, augment):
        self.images, self.labels, self.augment = images, labels, augment

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        x = self.images[i]
        if self.augment:
            dy, dx = torch.randint(-1, 2, (2,)).tolist()
            x = F.pad(x, (1, 1, 1, 1))[:, 1 + dy:9 + dy, 1 + dx:9 + dx]
            x = x + 0.1 * torch.randn_like(x)
        return x, self.labels[i]


def network(p):
    return nn.Sequential(
        nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.Dropout2d(p / 3),
        nn.Conv2d(24, 48, 3, padding=1), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(p),
        nn.Flatten(), nn.Linear(48 * 16, 64), nn.ReLU(), nn.Dropout(p), nn.Linear(64, 10))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--max-lr", type=float, default=0.12)
    ap.add_argument("--dropout", type=float, default=0.4)
    args = ap.parse_args()
    torch.manual_seed(0)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16
    y = torch.tensor(d.target)
    p = torch.randperm(len(x))
    tr, va = p[:1440], p[1440:]
    train = DataLoader(DigitSet(x[tr], y[tr], True), batch_size=48, shuffle=True)
    val = DataLoader(DigitSet(x[va], y[va], False), batch_size=400)
    model = network(args.dropout)
    crit = nn.CrossEntropyLoss(label_smoothing=0.1)
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, nesterov=True, weight_decay=5e-4)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, args.max_lr, epochs=args.epochs, steps_per_epoch=len(train))
    for epoch in range(args.epochs):
        model.train()
        s = 0.0
        for xb, yb in train:
            loss = crit(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            s += loss.item() * len(yb)
        model.eval()
        with torch.no_grad():
            xb, yb = next(iter(val))
            z = model(xb)
        print(f"epoch {epoch:2d} lr {sched.get_last_lr()[0]:.4f} train {s / len(tr):.3f} val {crit(z, yb).item():.3f} "
              f"acc {(z.argmax(1) == yb).float().mean().item():.3f}")


if __name__ == "__main__":
    main()
