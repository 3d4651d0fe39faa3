# Material classification from noisy spectra with a 1-d CNN.
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 27
EPOCHS = 12
BATCH = 64
torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)

# %% data: every material has four absorption lines
n, bins, classes = 2400, 96, 6
lines = rng.uniform(8, 88, (classes, 4))
strength = rng.uniform(0.5, 1.2, (classes, 4))
y = rng.integers(0, classes, n)
axis = np.arange(bins)
x = np.empty((n, bins))
for i, k in enumerate(y):
    shift = rng.normal(0, 1.5)
    amp = strength[k] * rng.uniform(0.6, 1.2, 4)
    peaks = (amp[:, None] * np.exp(-0.5 * ((axis - lines[k][:, None] - shift) / 2.0) ** 2)).sum(0)
    x[i] = 1.0 - peaks + 0.2 * rng.normal() * axis / bins + rng.normal(0, 0.25, bins)
x = (x - x[:1900].mean()) / x[:1900].std()
full = TensorDataset(torch.tensor(x, dtype=torch.float32)[:, None], torch.tensor(y))
train_set = torch.utils.data.Subset(full, range(1900))
val_set = torch.utils.data.Subset(full, range(1900, n))
train_loader = DataLoader(train_set, batch_size=BATCH, shuffle=True)
val_loader = DataLoader(val_set, batch_size=250)

# %% model
net = nn.Sequential(
    nn.Conv1d(1, 16, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
    nn.Conv1d(16, 32, 5, padding=2), nn.ReLU(), nn.MaxPool1d(2),
    nn.Conv1d(32, 32, 3, padding=1), nn.ReLU(), nn.MaxPool1d(2),
    nn.Flatten(), nn.Linear(32 * 12, 64), nn.ReLU(), nn.Linear(64, classes),
)
criterion = nn.CrossEntropyLoss(reduction="sum")
optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)

# %% training
for epoch in range(EPOCHS):
    net.train()
    epoch_loss, seen = 0.0, 0
    for xb, yb in train_loader:
        optimizer.zero_grad()
        loss = criterion(net(xb), yb)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
        seen += len(yb)
    scheduler.step()

    net.eval()
    val_loss, right = 0.0, 0
    with torch.no_grad():
        for xb, yb in val_loader:
            out = net(xb)
            val_loss += nn.functional.cross_entropy(out, yb).item() * len(yb)
            right += (out.argmax(1) == yb).sum().item()
    print(f"epoch {epoch:2d}  train loss {epoch_loss / seen:.4f}  val loss {val_loss / len(val_set):.4f}  "
          f"val acc {right / len(val_set):.3f}")
