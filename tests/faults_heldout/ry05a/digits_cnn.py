import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from sampling import EpochSampler


def conv_block(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.BatchNorm2d(c_out), nn.ReLU()
    )


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            conv_block(1, 16), conv_block(16, 32), nn.MaxPool2d(2), conv_block(32, 48), nn.AdaptiveAvgPool2d(2)
        )
        self.classifier = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(48 * 4, 10))

    def forward(self, x):
        return self.classifier(self.features(x))


def jitter(x):
    dx, dy = torch.randint(-1, 2, (2,)).tolist()
    return torch.roll(x, (dx, dy), (2, 3)) + 0.05 * torch.randn_like(x)


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=36)
    p.add_argument("--budget", type=int, default=128, help="samples per epoch")
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=17)
    p.add_argument("--deterministic", choices=["off", "init", "full"], default="init")
    return p.parse_args()


def main():
    o = options()
    if o.deterministic != "off":
        torch.manual_seed(o.seed)
    X, y = load_digits(return_X_y=True)
    X = torch.tensor(X, dtype=torch.float32).view(-1, 1, 8, 8) / 16.0
    y = torch.tensor(y)
    tr, te = train_test_split(range(len(y)), test_size=0.25, stratify=y, random_state=0)
    mean, std = X[tr].mean(), X[tr].std()
    X = (X - mean) / std
    train_set, test_set = TensorDataset(X[tr], y[tr]), TensorDataset(X[te], y[te])

    sampler = EpochSampler(len(train_set), o.budget, o.seed, restart=o.deterministic == "full")
    loader = DataLoader(train_set, o.batch, sampler=sampler)
    test_loader = DataLoader(test_set, 256)

    net = Net()
    opt = torch.optim.AdamW(net.parameters(), lr=o.lr, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, o.lr, total_steps=o.epochs * len(loader))
    for epoch in range(1, o.epochs + 1):
        net.train()
        losses = []
        for xb, yb in loader:
            loss = F.cross_entropy(net(jitter(xb)), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            losses.append(loss.item())
        if epoch % 6 == 0:
            net.eval()
            with torch.inference_mode():
                out = [(net(xb), yb) for xb, yb in test_loader]
            logits, gold = torch.cat([a for a, _ in out]), torch.cat([b for _, b in out])
            acc = (logits.argmax(1) == gold).float().mean().item()
            nll = F.cross_entropy(logits, gold).item()
            print(f"epoch {epoch}: train {sum(losses) / len(losses):.3f}  test {nll:.3f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()
