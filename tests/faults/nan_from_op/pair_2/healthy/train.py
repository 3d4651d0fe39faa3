"""Sentiment of short product comments with an embedding and a small attention encoder."""
import json
import re
from pathlib import Path

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

DATA = Path(__file__).parent / "comments.jsonl"
PAD, UNK = 0, 1


def tokenize(text):
    return re.findall(r"[a-z']+", text.lower())


def load(path):
    with open(path) as f:
        return [json.loads(line) for line in f]


class Vocabulary:
    def __init__(self, texts):
        words = sorted({w for t in texts for w in tokenize(t)})
        self.index = {w: i + 2 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, text):
        return torch.tensor([self.index.get(w, UNK) for w in tokenize(text)], dtype=torch.long)


class Collate:
    def __init__(self, vocab):
        self.vocab = vocab

    def __call__(self, rows):
        ids = pad_sequence([self.vocab.encode(r["text"]) for r in rows], batch_first=True, padding_value=PAD)
        return ids, torch.tensor([float(r["label"]) for r in rows])


class Encoder(nn.Module):
    def __init__(self, vocab_size, dim=32, heads=2):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim, padding_idx=PAD)
        self.attention = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, 1)

    def forward(self, ids):
        mask = ids == PAD
        x = self.embed(ids)
        attended, _ = self.attention(x, x, x, key_padding_mask=mask, need_weights=False)
        x = self.norm(x + attended)
        keep = (~mask).unsqueeze(-1).float()
        pooled = (x * keep).sum(1) / keep.sum(1)
        return self.head(pooled).squeeze(-1)


def evaluate(model, loader):
    model.eval()
    hits = n = 0
    with torch.no_grad():
        for ids, labels in loader:
            hits += ((model(ids) > 0) == (labels > 0.5)).sum().item()
            n += len(labels)
    model.train()
    return hits / n


def main():
    torch.manual_seed(21)
    rows = load(DATA)
    cut = int(len(rows) * 0.8)
    vocab = Vocabulary(r["text"] for r in rows[:cut])
    train = DataLoader(rows[:cut], batch_size=16, shuffle=True, collate_fn=Collate(vocab))
    val = DataLoader(rows[cut:], batch_size=64, collate_fn=Collate(vocab))
    model = Encoder(len(vocab))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(1, 9):
        losses = []
        for ids, labels in train:
            optimizer.zero_grad()
            loss = criterion(model(ids), labels)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch}: loss={sum(losses) / len(losses):.4f} val_accuracy={evaluate(model, val):.3f}")


if __name__ == "__main__":
    main()
