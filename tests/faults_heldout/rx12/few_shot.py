import json

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset


def conv(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


class GlyphNet(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.backbone = nn.Sequential(conv(1, 16), conv(16, 32), nn.MaxPool2d(2), conv(32, 32), nn.MaxPool2d(2), nn.Flatten())
        self.fc = nn.Linear(128, n_out)

    def forward(self, x):
        return self.fc(self.backbone(x))

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()
        return self


def load_backbone(net, path):
    saved = torch.load(path, weights_only=True)
    kept = {k: v for k, v in saved.items() if k.startswith("backbone.")}
    result = net.load_state_dict(kept, strict=False)
    assert sorted(result.missing_keys) == ["fc.bias", "fc.weight"], result
    net.backbone.requires_grad_(False)


def split_shots(y, classes, shots, rng):
    support = np.concatenate([rng.permutation(np.flatnonzero(y == c))[:shots] for c in classes])
    rest = np.setdiff1d(np.flatnonzero(np.isin(y, classes)), support)
    return support, rest


def dataset(images, y, idx, classes):
    x = torch.tensor(images[idx] / 16.0, dtype=torch.float32).unsqueeze(1)
    return TensorDataset(x, torch.tensor([classes.index(c) for c in y[idx]]))


@torch.no_grad()
def accuracy(net, loader):
    net.eval()
    good = sum(int((net(x).argmax(1) == t).sum()) for x, t in loader)
    net.train()
    return good / len(loader.dataset)


def main():
    with open("few_shot.json") as fh:
        cfg = json.load(fh)
    torch.manual_seed(cfg["seed"])
    rng = np.random.default_rng(cfg["seed"])
    digits = load_digits()
    support, rest = split_shots(digits.target, cfg["classes"], cfg["shots"], rng)
    train = DataLoader(dataset(digits.images, digits.target, support, cfg["classes"]), batch_size=10, shuffle=True)
    test = DataLoader(dataset(digits.images, digits.target, rest, cfg["classes"]), batch_size=256)

    net = GlyphNet(len(cfg["classes"]))
    load_backbone(net, cfg["backbone"])
    head = [p for p in net.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(head, lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)
    net.train()
    for epoch in range(1, cfg["epochs"] + 1):
        total = 0.0
        for x, t in train:
            opt.zero_grad()
            loss = loss_fn(net(x), t)
            loss.backward()
            opt.step()
            total += loss.item() * len(t)
        if epoch % 10 == 0:
            print(f"epoch {epoch:3d} loss {total / len(support):.3f} accuracy on {len(rest)} others {accuracy(net, test):.3f}")


if __name__ == "__main__":
    main()
