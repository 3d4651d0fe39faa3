import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset

from transforms import Compose, Normalize, RandomShift, ToTensor

SEED = 8
EPOCHS = 12

train_tf = Compose(ToTensor(), RandomShift(), Normalize(0.3053, 0.3762))
test_tf = Compose(ToTensor())


class Digits(Dataset):
    def __init__(self, images, labels, transform):
        self.images, self.labels, self.transform = images, labels, transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.transform(self.images[i]), int(self.labels[i])


def build():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(32 * 4, 64), nn.ReLU(), nn.Linear(64, 10),
    )


def evaluate(model, loader, loss_fn):
    model.eval()
    loss, correct, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss += loss_fn(out, y).item() * y.size(0)
            correct += (out.argmax(1) == y).sum().item()
            n += y.size(0)
    return loss / n, correct / n


def main():
    torch.manual_seed(SEED)
    images, labels = load_digits(return_X_y=True)
    images = images.reshape(-1, 8, 8)
    xtr, xte, ytr, yte = train_test_split(images, labels, test_size=0.25, stratify=labels, random_state=SEED)
    train_dl = DataLoader(Digits(xtr, ytr, train_tf), batch_size=32, shuffle=True)
    test_dl = DataLoader(Digits(xte, yte, test_tf), batch_size=128)

    model = build()
    loss_fn = nn.CrossEntropyLoss()
    optim = torch.optim.AdamW(model.parameters(), lr=1.5e-3, weight_decay=1e-2)
    for epoch in range(EPOCHS):
        model.train()
        history = []
        for x, y in train_dl:
            loss = loss_fn(model(x), y)
            optim.zero_grad()
            loss.backward()
            optim.step()
            history.append(loss.item())
        tl, ta = evaluate(model, test_dl, loss_fn)
        print(f"Epoch {epoch + 1}/{EPOCHS} - loss: {np.mean(history):.4f} - test_loss: {tl:.4f} - test_acc: {ta:.4f}")


if __name__ == "__main__":
    main()
