import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, Dataset, SubsetRandomSampler


class CellDataset(Dataset):
    """Standardised cell-nucleus measurements with a benign/malignant label."""

    def __init__(self, fit_rows):
        data = load_breast_cancer()
        x = np.log1p(data.data).astype(np.float32)
        mu, sd = x[fit_rows].mean(0), x[fit_rows].std(0)
        self.x = torch.from_numpy((x - mu) / sd)
        self.y = torch.from_numpy(data.target.astype(np.int64))

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def split_rows(n, fractions=(0.7, 0.3), seed=17):
    rows = np.random.default_rng(seed).permutation(n)
    k = int(n * fractions[0])
    return rows[:k], rows[k:]


def make_model():
    return nn.Sequential(
        nn.Linear(30, 48), nn.LeakyReLU(0.1), nn.Dropout(0.2),
        nn.Linear(48, 24), nn.LeakyReLU(0.1), nn.Linear(24, 2),
    )


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    total, seen = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * y.size(0)
        seen += y.size(0)
    return total / seen


def evaluate(model, loader, criterion):
    model.eval()
    correct, loss = 0, 0.0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss += criterion(out, y).item()
            correct += (out.argmax(dim=1) == y).sum().item()
    return loss / len(loader), correct / len(loader.dataset)


def main():
    torch.manual_seed(17)
    train_rows, val_rows = split_rows(569)
    dataset = CellDataset(train_rows)
    train_loader = DataLoader(dataset, batch_size=16, sampler=SubsetRandomSampler(train_rows))
    val_loader = DataLoader(dataset, batch_size=64, sampler=SubsetRandomSampler(val_rows))

    model = make_model()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.NAdam(model.parameters(), lr=1e-3)
    best = 0.0
    print("epoch\ttrain_loss\tval_loss\tval_acc")
    for epoch in range(1, 26):
        train_loss = train_one_epoch(model, train_loader, criterion, optimizer)
        val_loss, val_acc = evaluate(model, val_loader, criterion)
        best = max(best, val_acc)
        print(f"{epoch}\t{train_loss:.4f}\t{val_loss:.4f}\t{val_acc:.4f}")
    print(f"best validation accuracy: {best:.4f}")


if __name__ == "__main__":
    main()
