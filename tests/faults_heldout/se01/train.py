"""Handwritten digit recognition (8x8 scans) with a small convnet."""
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset

SEED = 1234
EPOCHS = 14
BATCH = 64

random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)


class DigitDataset(Dataset):
    def __init__(self, images, labels, augment):
        self.images = torch.tensor(images, dtype=torch.float32).unsqueeze(1)
        self.labels = torch.tensor(labels, dtype=torch.long)
        self.augment = augment

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = self.images[i]
        if self.augment and random.random() < 0.5:
            dx, dy = random.randint(0, 2), random.randint(0, 2)
            img = F.pad(img, (1, 1, 1, 1))[:, dy:dy + 8, dx:dx + 8]
        return img, self.labels[i]


digits = load_digits()
images = digits.images / 16.0
x_train, x_rest, y_train, y_rest = train_test_split(
    images, digits.target, test_size=0.3, stratify=digits.target, random_state=SEED)
x_val, x_test, y_val, y_test = train_test_split(
    x_rest, y_rest, test_size=0.5, stratify=y_rest, random_state=SEED)

train_loader = DataLoader(DigitDataset(x_train, y_train, True), batch_size=BATCH, shuffle=True)
val_loader = DataLoader(DigitDataset(x_val, y_val, False), batch_size=256)
test_loader = DataLoader(DigitDataset(x_test, y_test, False), batch_size=256)

model = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
    nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
    nn.AdaptiveAvgPool2d(2), nn.Flatten(),
    nn.Dropout(0.25),
    nn.Linear(128, 10),
)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)
criterion = nn.CrossEntropyLoss()


@torch.no_grad()
def evaluate(loader):
    model.eval()
    loss_sum, correct, count = 0.0, 0, 0
    for xb, yb in loader:
        logits = model(xb)
        loss_sum += F.cross_entropy(logits, yb, reduction="sum").item()
        correct += (logits.argmax(1) == yb).sum().item()
        count += len(yb)
    return loss_sum / count, correct / count


for epoch in range(1, EPOCHS + 1):
    model.train()
    running, seen = 0.0, 0
    for xb, yb in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(yb)
        seen += len(yb)
    scheduler.step()
    val_loss, val_acc = evaluate(val_loader)
    print(f"epoch {epoch:2d}  train_loss {running / seen:.4f}  val_loss {val_loss:.4f}  val_acc {val_acc:.4f}")

test_loss, test_acc = evaluate(test_loader)
print(f"test_loss {test_loss:.4f}  test_acc {test_acc:.4f}")
