"""Route support tickets to a team with a bag of words model."""
import argparse
import re
from collections import Counter
from pathlib import Path

import pandas as pd
import torch
from torch import nn

HERE = Path(__file__).parent

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--epochs", type=int, default=25)
parser.add_argument("--dim", type=int, default=32)
args = parser.parse_args()
torch.manual_seed(args.seed)

train = pd.read_csv(HERE / "tickets_train.csv")
val = pd.read_csv(HERE / "tickets_val.csv")


def tokenize(text):
    return re.findall(r"[a-z]+", text.lower())


counts = Counter(tok for text in train["text"] for tok in tokenize(text))
vocab = {tok: i + 1 for i, (tok, c) in enumerate(counts.most_common()) if c >= 2}
teams = sorted(train["team"].unique())
team_id = {t: i for i, t in enumerate(teams)}
train_y = torch.tensor(train["team"].map(team_id).values)
val_y = torch.tensor(val["team"].map(team_id).values)
train_docs = [torch.tensor([vocab.get(t, 0) for t in tokenize(x)]) for x in train["text"]]
val_docs = [torch.tensor([vocab.get(t, 0) for t in tokenize(x)]) for x in val["text"]]
print(f"{len(train)} training tickets, {len(val)} validation tickets, {len(vocab)} words, {len(teams)} teams")


class TicketNet(nn.Module):
    def __init__(self, n_words, dim, n_out):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_words + 1, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Dropout(0.2), nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, n_out))

    def forward(self, docs):
        offsets = torch.tensor([0] + [len(d) for d in docs[:-1]]).cumsum(0)
        return self.mlp(self.bag(torch.cat(docs), offsets))


net = TicketNet(len(vocab), args.dim, len(teams))
optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.05)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(1, args.epochs + 1):
    net.train()
    order = torch.randperm(len(train_docs)).tolist()
    total = hits = 0
    for start in range(0, len(order), 32):
        idx = order[start:start + 32]
        logits = net([train_docs[i] for i in idx])
        loss = loss_fn(logits, train_y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
        hits += (logits.argmax(1) == train_y[idx]).sum().item()
    net.eval()
    with torch.no_grad():
        out = net(val_docs)
        val_loss = loss_fn(out, val_y).item()
        val_acc = (out.argmax(1) == val_y).float().mean().item()
    print(f"epoch {epoch} loss {total / len(order):.4f} acc {hits / len(order):.3f} "
          f"val_loss {val_loss:.4f} val_acc {val_acc:.3f}")
