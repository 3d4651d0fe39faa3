import argparse
import copy

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=48)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--ema-decay", type=float, default=0.9999)
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args()


class AveragedModel:
    """Shadow copy of the weights, used for evaluation and export."""

    def __init__(self, model, decay):
        self.decay = decay
        self.module = copy.deepcopy(model).eval()
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for shadow, p in zip(self.module.parameters(), model.parameters()):
            shadow.mul_(self.decay).add_(p, alpha=1 - self.decay)
        for shadow, b in zip(self.module.buffers(), model.buffers()):
            shadow.copy_(b)


def conv_net():
    return nn.Sequential(
        nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(),
        nn.Conv2d(24, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(24 * 16, 64), nn.ReLU(), nn.Linear(64, 10),
    )


def loaders(batch_size):
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16
    y = torch.tensor(d.target)
    tr, va = train_test_split(range(len(y)), test_size=0.2, stratify=d.target, random_state=0)
    return (DataLoader(TensorDataset(x[tr], y[tr]), batch_size=batch_size, shuffle=True),
            DataLoader(TensorDataset(x[va], y[va]), batch_size=256))


@torch.no_grad()
def validate(net, loader, loss_fn):
    net.eval()
    loss = hits = n = 0
    for x, y in loader:
        out = net(x)
        loss += loss_fn(out, y).item() * len(y)
        hits += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, hits / n


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    train_loader, val_loader = loaders(args.batch_size)
    net = conv_net()
    ema = AveragedModel(net, args.ema_decay)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-2)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(1, args.epochs + 1):
        net.train()
        total = 0.0
        for x, y in train_loader:
            opt.zero_grad()
            loss = loss_fn(net(x), y)
            loss.backward()
            opt.step()
            ema.update(net)
            total += loss.item()
        val_loss, val_acc = validate(ema.module, val_loader, loss_fn)
        print(f"[{epoch:02d}/{args.epochs}] train {total / len(train_loader):.4f} val {val_loss:.4f} acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
