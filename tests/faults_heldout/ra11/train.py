"""Small CNN for 8x8 digits."""
import time

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, train, val, lr, epochs):
        self.model, self.train_dl, self.val_dl, self.epochs = model, train, val, epochs
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True, weight_decay=5e-4)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, max_lr=lr, total_steps=epochs * len(train))
        self.loss = nn.CrossEntropyLoss(label_smoothing=0.05)

    def train_epoch(self):
        self.model.train()
        s = 0.0
        for x, y in self.train_dl:
            loss = self.loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            s += loss.item()
        return s / len(self.train_dl)

    @torch.inference_mode()
    def validate(self):
        self.model.eval()
        right = sum((self.model(x).argmax(1) == y).sum().item() for x, y in self.val_dl)
        return right / len(self.val_dl.dataset)

    def run(self):
        for e in range(1, self.epochs + 1):
            t = time.time()
            l = self.train_epoch()
            print(f"{e}/{self.epochs} loss {l:.4f} acc {self.validate():.4f} ({time.time() - t:.1f}s)")


def cnn():
    return nn.Sequential(
        nn.Conv2d(1, 24, 3, padding=1, bias=False), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(24, 48, 3, padding=1, bias=False), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Dropout(0.2), nn.Linear(48 * 4, 10),
    )


if __name__ == "__main__":
    torch.manual_seed(42)
    X, y = load_digits(return_X_y=True)
    X = torch.tensor(X / 16.0, dtype=torch.float32).view(-1, 1, 8, 8)
    y = torch.tensor(y)
    tr, va = train_test_split(range(len(y)), test_size=0.2, random_state=42, stratify=y)
    dl = lambda i, sh: DataLoader(TensorDataset(X[i], y[i]), batch_size=64, shuffle=sh)
    Trainer(cnn(), dl(tr, True), dl(va, False), lr=0.08, epochs=12).run()
