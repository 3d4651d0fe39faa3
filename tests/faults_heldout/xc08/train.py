"""Digit strokes as sequences of rows: recurrent classifier on the 8x8 digits."""
import argparse

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

parser = argparse.ArgumentParser()
parser.add_argument("--hidden", type=int, default=48)
parser.add_argument("--keep", type=float, default=0.9, help="share of the activations that is kept")
parser.add_argument("--epochs", type=int, default=20)
parser.add_argument("--lr", type=float, default=3e-3)
args = parser.parse_args()


class RowReader(nn.Module):
    def __init__(self, hidden, keep, classes=10):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(8, hidden), nn.ReLU(), nn.Dropout(keep))
        self.rnn = nn.GRU(hidden, hidden, num_layers=2, batch_first=True, dropout=keep)
        self.head = nn.Sequential(nn.Dropout(keep), nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(keep), nn.Linear(hidden, classes))

    def forward(self, rows):
        out, _ = self.rnn(self.embed(rows))
        return self.head(out[:, -1])


torch.manual_seed(13)
raw = load_digits()
x = torch.tensor(raw.images, dtype=torch.float32) / 8 - 1
y = torch.tensor(raw.target)
train_set, val_set = random_split(TensorDataset(x, y), [1400, 397], torch.Generator().manual_seed(13))
train_loader = DataLoader(train_set, batch_size=50, shuffle=True)
val_loader = DataLoader(val_set, batch_size=397)

model = RowReader(args.hidden, args.keep)
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
criterion = nn.CrossEntropyLoss()
print(f"{sum(p.numel() for p in model.parameters())} parameters, keep {args.keep}")


def check(loader):
    model.eval()
    with torch.no_grad():
        pairs = [(model(a), b) for a, b in loader]
    out, target = torch.cat([p for p, _ in pairs]), torch.cat([t for _, t in pairs])
    model.train()
    return criterion(out, target).item(), (out.argmax(1) == target).float().mean().item()


for epoch in range(args.epochs):
    total = 0.0
    for xb, yb in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        total += loss.item()
    if (epoch + 1) % 2 == 0:
        tl, ta = check(train_loader)
        vl, va = check(val_loader)
        print(f"epoch {epoch + 1:2d}  running {total / len(train_loader):.3f}  train {tl:.3f}/{ta:.3f}  val {vl:.3f}/{va:.3f}")
