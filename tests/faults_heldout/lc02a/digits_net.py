"""Small CNN for the 8x8 digits, settings in recipe.toml."""
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn


@dataclass
class Recipe:
    data: dict
    model: dict
    optimizer: dict
    run: dict

    @classmethod
    def load(cls, path):
        with open(path, "rb") as fh:
            return cls(**tomllib.load(fh))

    @property
    def lr(self):
        o = self.optimizer
        return o["base_lr"] * self.data["batch_size"] / o["reference_batch"]


def conv_block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(), nn.MaxPool2d(2))


class DigitNet(nn.Module):
    def __init__(self, channels, dropout):
        super().__init__()
        c1, c2 = channels
        self.features = nn.Sequential(conv_block(1, c1), conv_block(c1, c2))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(dropout), nn.Linear(c2 * 4, 10))

    def forward(self, x):
        return self.head(self.features(x))


def batches(x, y, size, rng):
    order = rng.permutation(len(x))
    for s in range(0, len(order) - size + 1, size):
        idx = torch.as_tensor(order[s:s + size])
        yield x[idx], y[idx]


def main(path):
    r = Recipe.load(path)
    torch.manual_seed(r.run["seed"])
    rng = np.random.default_rng(r.run["seed"])

    raw = load_digits()
    images = (raw.images / 16.0 - 0.305) / 0.376
    xa, xb, ya, yb = train_test_split(images, raw.target, test_size=r.data["test_fraction"],
                                      stratify=raw.target, random_state=0)
    xa, xb = (torch.tensor(v, dtype=torch.float32).unsqueeze(1) for v in (xa, xb))
    ya, yb = torch.tensor(ya), torch.tensor(yb)

    net = DigitNet(**r.model)
    opt = torch.optim.SGD(net.parameters(), lr=r.lr, momentum=r.optimizer["momentum"],
                          weight_decay=r.optimizer["weight_decay"], nesterov=True)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(r.run["epochs"]):
        net.train()
        running, seen = 0.0, 0
        for x, y in batches(xa, ya, r.data["batch_size"], rng):
            opt.zero_grad(set_to_none=True)
            loss = criterion(net(x), y)
            loss.backward()
            opt.step()
            running += loss.item() * len(y)
            seen += len(y)
        net.eval()
        with torch.no_grad():
            out = net(xb)
            test_loss = criterion(out, yb).item()
            acc = (out.argmax(1) == yb).float().mean().item()
        print(f"[{epoch + 1:02d}/{r.run['epochs']}] loss {running / seen:.4f}  test loss {test_loss:.4f}  test acc {acc:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("recipe.toml"))
