import torch
from torch import nn
from torch.utils.data import DataLoader

import transforms as T
from chirps import CLASSES, ChirpDataset

torch.manual_seed(12)

augment = T.Compose(
    T.RandomGain(),
    T.RandomShift(4),
    T.RandomPolarity(),
    T.RandomFlip(),
)
train_loader = DataLoader(ChirpDataset(1600, seed=1, transform=augment), batch_size=32, shuffle=True)
val_loader = DataLoader(ChirpDataset(500, seed=2), batch_size=250)

model = nn.Sequential(
    nn.Conv1d(1, 16, 9, stride=2, padding=4), nn.BatchNorm1d(16), nn.ReLU(),
    nn.Conv1d(16, 32, 7, stride=2, padding=3), nn.BatchNorm1d(32), nn.ReLU(),
    nn.Conv1d(32, 32, 5, stride=2, padding=2), nn.BatchNorm1d(32), nn.ReLU(),
    nn.AdaptiveAvgPool1d(4), nn.Flatten(),
    nn.Linear(128, 48), nn.ReLU(), nn.Linear(48, len(CLASSES)),
)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()

for epoch in range(1, 13):
    model.train()
    tot = hit = seen = 0
    for x, y in train_loader:
        logits = model(x)
        loss = criterion(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        tot += loss.item() * len(y)
        hit += (logits.argmax(1) == y).sum().item()
        seen += len(y)
    model.eval()
    conf = torch.zeros(4, 4, dtype=torch.long)
    with torch.no_grad():
        for x, y in val_loader:
            for a, b in zip(y, model(x).argmax(1)):
                conf[a, b] += 1
    recall = conf.diag() / conf.sum(1).clamp(min=1)
    print(f"{epoch:02d} train {tot / seen:.3f}/{hit / seen:.3f}  val acc {conf.diag().sum() / conf.sum():.3f}  "
          + " ".join(f"{c}={r:.2f}" for c, r in zip(CLASSES, recall)))
