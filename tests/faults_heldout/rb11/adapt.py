"""Reuse the trunk trained on digits 0-5 for the digits 6-9.

Stage 1 trains a new head on the fixed trunk. Stage 2 lets the last
convolution move a little, at a small rate.
"""
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

from trunk import Trunk

MEAN, STD = 4.88, 6.02  # as for the trunk
CLASSES = [6, 7, 8, 9]


def data(seed):
    d = load_digits()
    keep = d.target >= CLASSES[0]
    x = torch.tensor((d.images[keep] - MEAN) / STD, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target[keep] - CLASSES[0])
    tr, te = train_test_split(range(len(y)), test_size=0.35, stratify=y, random_state=seed)
    return x[tr], y[tr], x[te], y[te]


class Adapted(nn.Module):
    def __init__(self, trunk, classes):
        super().__init__()
        self.trunk = trunk
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(trunk.width, classes))

    def forward(self, x):
        return self.head(self.trunk(x))

    def train(self, mode=True):
        super().train(mode)
        self.trunk.eval()  # keep the running statistics of the original digits
        return self


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
    return nn.functional.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def jitter(x):
    dy, dx = torch.randint(-1, 2, (2,)).tolist()
    x = nn.functional.pad(x, (1, 1, 1, 1), value=-MEAN / STD)
    return x[..., 1 + dy : 9 + dy, 1 + dx : 9 + dx]


def fit(model, groups, epochs, x, y, x_te, y_te, tag):
    opt = torch.optim.AdamW(groups, weight_decay=0.01)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x)).split(32):
            loss = nn.functional.cross_entropy(model(jitter(x[idx])), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 4 == 3:
            l, a = accuracy(model, x_te, y_te)
            print(f"{tag} {epoch + 1:2d}: train {total / len(x):.4f}  test {l:.4f}  acc {a:.4f}")


def main():
    torch.manual_seed(9)
    x, y, x_te, y_te = data(9)
    trunk = Trunk()
    trunk.load_state_dict(torch.load("trunk_digits0to5.pt", weights_only=True))
    trunk.requires_grad_(False)
    model = Adapted(trunk, len(CLASSES))

    fit(model, [{"params": model.head.parameters(), "lr": 2e-3}], 28, x, y, x_te, y_te, "head")

    last_conv = trunk.layers[7]
    last_conv.requires_grad_(True)
    groups = [{"params": model.head.parameters(), "lr": 3e-4}, {"params": last_conv.parameters(), "lr": 1e-4}]
    fit(model, groups, 16, x, y, x_te, y_te, "tune")
    print("train: loss %.4f acc %.4f" % accuracy(model, x, y))


if __name__ == "__main__":
    main()
