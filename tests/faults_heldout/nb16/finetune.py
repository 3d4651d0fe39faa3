"""Fine-tune the pre-trained vibration encoder on a handful of labelled bearing signals."""
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from model import FaultClassifier, init_weights

ROOT = Path(__file__).parent
EPOCHS = 25
BATCH = 16


class FineTuner:
    def __init__(self, n_classes, encoder_lr=5e-5, head_lr=5e-3):
        self.model = FaultClassifier(n_classes)
        self.load_pretrained(ROOT / "weights" / "encoder.pt")
        self.setup(encoder_lr, head_lr)

    def load_pretrained(self, path):
        state = torch.load(path, map_location="cpu", weights_only=True)
        self.model.encoder.load_state_dict(state)
        print(f"loaded {len(state)} tensors from {path.name}")

    def setup(self, encoder_lr, head_lr):
        self.model.apply(init_weights)
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(
            [
                {"params": self.model.encoder.parameters(), "lr": encoder_lr},
                {"params": self.model.head.parameters(), "lr": head_lr},
            ]
        )

    def train_epoch(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(y)
        return total / len(loader.dataset)

    @torch.no_grad()
    def accuracy(self, loader):
        self.model.eval()
        return sum((self.model(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


def dataset(name):
    blob = np.load(ROOT / "bearings.npz")
    x = torch.from_numpy(blob[f"{name}_x"].astype(np.float32)).unsqueeze(1)
    return TensorDataset(x, torch.from_numpy(blob[f"{name}_y"]).long())


def main():
    torch.manual_seed(31)
    train = DataLoader(dataset("train"), batch_size=BATCH, shuffle=True)
    val = DataLoader(dataset("val"), batch_size=256)
    tuner = FineTuner(n_classes=6)
    for epoch in range(1, EPOCHS + 1):
        loss = tuner.train_epoch(train)
        print(f"epoch {epoch:2d}  loss {loss:.4f}  val acc {tuner.accuracy(val):.4f}")


if __name__ == "__main__":
    main()
