"""Human activity recognition from two-second windows."""
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from dataset import ACTIVITIES, WindowDataset

SEED = 12
EPOCHS = 9
BATCH = 32
LR = 3e-3
DATA = Path(__file__).parent / "data"

torch.manual_seed(SEED)
np.random.seed(SEED)

train_set = WindowDataset(DATA, "train", augment=True)
valid_set = WindowDataset(DATA, "valid")
train_loader = DataLoader(train_set, batch_size=BATCH, shuffle=True)
valid_loader = DataLoader(valid_set, batch_size=128)


def block(c_in, c_out):
    return nn.Sequential(nn.Conv1d(c_in, c_out, 5, padding=2, bias=False),
                         nn.BatchNorm1d(c_out), nn.ReLU())


model = nn.Sequential(
    block(3, 32), block(32, 48), nn.MaxPool1d(2),
    block(48, 48), block(48, 48), nn.AdaptiveMaxPool1d(1),
    nn.Flatten(), nn.Dropout(0.3), nn.Linear(48, len(ACTIVITIES)),
)
optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS * len(train_loader))
criterion = nn.CrossEntropyLoss()

for epoch in range(EPOCHS):
    start = time.perf_counter()
    model.train()
    running = 0.0
    for x, y in train_loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        running += loss.item() * len(y)

    model.eval()
    vloss, correct = 0.0, 0
    with torch.no_grad():
        for x, y in valid_loader:
            out = model(x)
            vloss += criterion(out, y).item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
    print(f"epoch {epoch + 1:2d}/{EPOCHS}  loss {running / len(train_set):.4f}  "
          f"val_loss {vloss / len(valid_set):.4f}  val_acc {correct / len(valid_set):.4f}  "
          f"[{time.perf_counter() - start:.1f} s]")
