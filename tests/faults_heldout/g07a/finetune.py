from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from inkread.loop import accuracy, fit
from inkread.model import Reader

ROOT = Path(__file__).resolve().parent


def loaders(batch_size=40):
    digits = load_digits()
    x = torch.tensor(digits.data / 16.0, dtype=torch.float32)
    y = torch.tensor(digits.target)
    xa, xb, ya, yb = train_test_split(x, y, test_size=0.25, stratify=y, random_state=11)
    return (DataLoader(TensorDataset(xa, ya), batch_size, shuffle=True),
            DataLoader(TensorDataset(xb, yb), 200))


def main(epochs=15):
    torch.manual_seed(23)
    train_loader, test_loader = loaders()
    model = Reader()
    stage = model.load_encoder(ROOT / "encoder.pt")
    print(f"encoder from epoch {stage}")
    optimizer = torch.optim.SGD([
        {"params": model.encoder.parameters(), "lr": 0.02},
        {"params": model.classifier.parameters(), "lr": 0.05},
    ], momentum=0.9)
    for epoch in range(epochs):
        loss = fit(model, train_loader, optimizer)
        print(f"epoch {epoch:2d} loss {loss:.4f} test accuracy {accuracy(model, test_loader):.4f}")


if __name__ == "__main__":
    main()
