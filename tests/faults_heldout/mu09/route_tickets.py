"""Routes support tickets to a team: bag of embeddings over the monthly exports."""
from collections import Counter
from pathlib import Path

import pandas as pd
import torch
import torch.nn as nn

SEED = 44
HERE = Path(__file__).parent
torch.manual_seed(SEED)


def read_month(path):
    df = pd.read_csv(path)
    df["text"] = df["text"].str.lower()
    df["target"] = pd.factorize(df["team"])[0]
    return df


data = pd.concat([read_month(p) for p in sorted(HERE.glob("tickets_*.csv"))], ignore_index=True)
data = data.sample(frac=1, random_state=SEED).reset_index(drop=True)
n_val = 300
val_df, train_df = data[:n_val], data[n_val:]
n_classes = data["team"].nunique()

counts = Counter(w for t in train_df["text"] for w in t.split())
vocab = {w: i + 1 for i, (w, c) in enumerate(counts.most_common()) if c > 1}


def to_bags(df):
    ids, offsets = [], []
    for t in df["text"]:
        offsets.append(len(ids))
        ids += [vocab.get(w, 0) for w in t.split()]
    return torch.tensor(ids), torch.tensor(offsets), torch.tensor(df["target"].to_numpy())


class Router(nn.Module):
    def __init__(self, n_words, n_out, dim=32):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_words, dim, mode="mean")
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, n_out))

    def forward(self, ids, offsets):
        return self.head(self.bag(ids, offsets))


model = Router(len(vocab) + 1, n_classes)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
loss_fn = nn.CrossEntropyLoss()
val = to_bags(val_df)
print(f"{len(train_df)} train, {len(val_df)} validation tickets, {len(vocab)} words, {n_classes} teams")

for epoch in range(1, 16):
    model.train()
    shuffled = train_df.sample(frac=1, random_state=SEED + epoch)
    total = hits = 0
    for lo in range(0, len(shuffled), 32):
        ids, offs, y = to_bags(shuffled[lo:lo + 32])
        logits = model(ids, offs)
        loss = loss_fn(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        hits += (logits.argmax(1) == y).sum().item()
    model.eval()
    with torch.no_grad():
        out = model(val[0], val[1])
        vloss, vacc = loss_fn(out, val[2]).item(), (out.argmax(1) == val[2]).float().mean().item()
    print(f"epoch {epoch:2d}  train {total / len(shuffled):.3f} acc {hits / len(shuffled):.3f}  val {vloss:.3f} acc {vacc:.3f}")
