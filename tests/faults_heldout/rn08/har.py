import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(99)


class TCN(nn.Module):
    def __init__(self, channels=3, width=24, classes=4):
        super().__init__()
        layers, c = [], channels
        for d in (1, 2):
            layers += [nn.Conv1d(c, width, 5, padding=2 * d, dilation=d), nn.BatchNorm1d(width), nn.ReLU()]
            c = width
        self.conv = nn.Sequential(*layers)
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(width, classes)

    def forward(self, x):
        return self.fc(self.drop(self.conv(x).mean(-1)))


def validate(model, loader, criterion):
    model.eval()
    total, correct, count = 0, 0, 0
    for x, y in loader:
        out = model(x)
        total += criterion(out, y) * len(y)
        correct += (out.argmax(1) == y).sum()
        count += len(y)
    return total / count, correct.item() / count


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    total, count = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        count += len(y)
    return total / count


def main():
    z = np.load("imu.npz")
    x = torch.from_numpy(z["acc"]).float() / 25.0
    y = torch.from_numpy(z["activity"]).long()
    train = DataLoader(TensorDataset(x[:600], y[:600]), batch_size=50, shuffle=True)
    val = DataLoader(TensorDataset(x[600:], y[600:]), batch_size=100)
    model = TCN()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=1e-2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=14)

    history = {"train": [], "val": [], "acc": []}
    for epoch in range(14):
        train_loss = train_one_epoch(model, train, criterion, optimizer)
        scheduler.step()
        val_loss, acc = validate(model, val, criterion)
        history["train"].append(train_loss)
        history["val"].append(val_loss)
        history["acc"].append(acc)
        print(f"epoch {epoch:2d} train {train_loss:.4f} val {val_loss:.4f} acc {acc:.3f}")

    best = min(range(len(history["val"])), key=lambda i: history["val"][i])
    print("best epoch", best, "accuracy", round(history["acc"][best], 3))


if __name__ == "__main__":
    main()
