import argparse
import copy

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

p = argparse.ArgumentParser()
p.add_argument("--pre-epochs", type=int, default=12)
p.add_argument("--epochs", type=int, default=25)
p.add_argument("--lr", type=float, default=3e-3)
p.add_argument("--bs", type=int, default=32)
args = p.parse_args()
torch.manual_seed(5)


def loaders(classes):
    d = load_digits()
    keep = [i for i, t in enumerate(d.target) if t in classes]
    X = torch.tensor(d.images[keep], dtype=torch.float32).unsqueeze(1) / 16.0
    y = torch.tensor([classes.index(t) for t in d.target[keep]])
    Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)
    return (DataLoader(TensorDataset(Xa, ya), batch_size=args.bs, shuffle=True),
            DataLoader(TensorDataset(Xb, yb), batch_size=256))


class Net(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
        self.fc = nn.Linear(32 * 16, n_out)

    def forward(self, x):
        return self.fc(self.features(x))


def train(model, optimizer, tr, va, epochs, name):
    crit = nn.CrossEntropyLoss()
    for e in range(epochs):
        model.train()
        s = n = 0
        for x, y in tr:
            optimizer.zero_grad()
            loss = crit(model(x), y)
            loss.backward()
            optimizer.step()
            s += loss.item() * len(y)
            n += len(y)
        model.eval()
        hit = tot = 0
        with torch.no_grad():
            for x, y in va:
                hit += (model(x).argmax(1) == y).sum().item()
                tot += len(y)
        print(f"{name} epoch {e:2d} loss {s / n:.4f} val_acc {hit / tot:.3f}")


# stage 1: digits 0-5
tr, va = loaders([0, 1, 2, 3, 4, 5])
base = Net(6)
train(base, torch.optim.Adam(base.parameters(), lr=2e-3), tr, va, args.pre_epochs, "stage1")

# stage 2: linear probe on 6-9
tr, va = loaders([6, 7, 8, 9])
model = copy.deepcopy(base)
for prm in model.features.parameters():
    prm.requires_grad = False
optimizer = torch.optim.Adam([q for q in model.parameters() if q.requires_grad], lr=args.lr)
model.fc = nn.Linear(model.fc.in_features, 4)
train(model, optimizer, tr, va, args.epochs, "stage2")
