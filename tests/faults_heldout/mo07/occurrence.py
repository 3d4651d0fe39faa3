"""Which of ten plant species occur on a survey plot, from six site variables."""
import csv
from pathlib import Path

import torch
from torch import nn

SEED, EPOCHS, BATCH, LR = 3, 30, 32, 2e-3
SITE = ["elevation", "rainfall", "soil_ph", "slope", "canopy", "distance_water"]


def read_plots():
    with open(Path(__file__).with_name("plots.csv")) as f:
        rows = list(csv.DictReader(f))
    species = [k for k in rows[0] if k not in SITE]
    x = torch.tensor([[float(r[k]) for k in SITE] for r in rows])
    y = torch.tensor([[float(r[k]) for k in species] for r in rows])
    return x, y, species


class OccurrenceModel(nn.Module):
    def __init__(self, n_in, n_species, width=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Dropout(0.1),
                                   nn.Linear(width, width), nn.SiLU())
        self.species = nn.Linear(width, n_species)

    def forward(self, x):
        return self.species(self.trunk(x))


def f1_scores(pred, y):
    tp = (pred * y).sum(0)
    return 2 * tp / (pred.sum(0) + y.sum(0)).clamp(min=1)


torch.manual_seed(SEED)
x, y, species = read_plots()
perm = torch.randperm(len(x))
tr, te = perm[:1050], perm[1050:]
mu, sd = x[tr].mean(0), x[tr].std(0)
x = (x - mu) / sd

model = OccurrenceModel(len(SITE), len(species))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)

for epoch in range(1, EPOCHS + 1):
    model.train()
    total, count = 0.0, 0
    for b in tr[torch.randperm(len(tr))].split(BATCH):
        optimizer.zero_grad()
        loss = criterion(model(x[b]), y[b])
        loss.backward()
        optimizer.step()
        total, count = total + loss.item() * len(b), count + len(b)
    scheduler.step()
    model.eval()
    with torch.no_grad():
        logits = model(x[te])
        test_loss = criterion(logits, y[te]).item()
        present = (torch.sigmoid(logits) > 0.5).float()
    f1 = f1_scores(present, y[te])
    exact = (present == y[te]).float().mean().item()
    if epoch % 3 == 0 or epoch == 1:
        print(f"epoch {epoch:02d} loss {total / count:.4f} test loss {test_loss:.4f} "
              f"macro-F1 {f1.mean():.3f} cell accuracy {exact:.3f}")

for name, s in zip(species, f1.tolist()):
    print(f"  {name:<12s} F1 {s:.2f}")
