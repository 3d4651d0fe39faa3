import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class WindowCNN(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.c1 = nn.Conv1d(1, 24, 9, stride=2, padding=4)
        self.b1 = nn.BatchNorm1d(24)
        self.c2 = nn.Conv1d(24, 32, 7, stride=2, padding=3)
        self.b2 = nn.BatchNorm1d(32)
        self.drop2d = nn.Dropout1d(0.25)
        self.fc = nn.Linear(32 * 6, 64)
        self.drop = nn.Dropout(0.5)
        self.out = nn.Linear(64, classes)

    def forward(self, x):
        x = F.relu(self.b1(self.c1(x)))
        x = F.relu(self.b2(self.c2(x)))
        x = F.max_pool1d(self.drop2d(x), 4)
        x = self.drop(F.relu(self.fc(x.flatten(1))))
        return self.out(x)


def train_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
    return total / len(loader.dataset)


def validate(model, loader):
    correct, total_loss = 0, 0.0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            total_loss += F.cross_entropy(out, y, reduction="sum").item()
            correct += (out.argmax(1) == y).sum().item()
    n = len(loader.dataset)
    return total_loss / n, correct / n


def main():
    torch.manual_seed(8)
    f = np.load("windows.npz")
    x = torch.from_numpy(f["signal"].astype(np.float32)).unsqueeze(1)
    x = (x - x.mean(2, keepdim=True)) / x.std(2, keepdim=True)
    y = torch.from_numpy(f["state"].astype(np.int64))
    train_set, val_set = random_split(TensorDataset(x, y), [1400, 400])
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=32)
    model = WindowCNN(int(y.max()) + 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    best = 0.0
    for epoch in range(14):
        tl = train_epoch(model, train_loader, optimizer)
        vl, va = validate(model, val_loader)
        best = max(best, va)
        print(f"Epoch {epoch:02d} train_loss={tl:.3f} val_loss={vl:.3f} val_acc={va:.3f} best={best:.3f}")


if __name__ == "__main__":
    main()
