"""Routing of support tickets: queue \t text, one ticket per line."""
import collections
import os
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

os.chdir(os.path.dirname(os.path.abspath(__file__)))
QUEUES = {"billing": 0, "shipping": 1, "account": 2, "returns": 3}


def lines(path):
    with open(path, encoding="utf-8") as fh:
        for line in fh:
            queue, text = line.rstrip("\n").split("\t")
            yield QUEUES[queue], text.split()


def build_vocab(path, min_count=2):
    counts = collections.Counter(w for _, ws in lines(path) for w in ws)
    return {w: i + 1 for i, w in enumerate(sorted(w for w, c in counts.items() if c >= min_count))}


class TicketStream(IterableDataset):
    """Reads the export line by line, so that it need not fit in memory."""

    def __init__(self, path, vocab):
        self.path, self.vocab = path, vocab

    def __iter__(self):
        for y, words in lines(self.path):
            yield y, [self.vocab.get(w, 0) for w in words]


def collate(batch):
    ys = torch.tensor([y for y, _ in batch])
    flat = torch.tensor([i for _, ids in batch for i in ids])
    offsets = torch.tensor([0] + [len(ids) for _, ids in batch][:-1]).cumsum(0)
    return flat, offsets, ys


class BagClassifier(nn.Module):
    def __init__(self, n_words, dim=48):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_words, dim, mode="mean")
        self.hidden = nn.Linear(dim, 64)
        self.out = nn.Linear(64, len(QUEUES))

    def forward(self, flat, offsets):
        h = torch.tanh(self.hidden(self.bag(flat, offsets)))
        return self.out(h)


torch.manual_seed(2)
vocab = build_vocab("tickets.train.txt")
train = DataLoader(TicketStream("tickets.train.txt", vocab), batch_size=32, collate_fn=collate)
test = DataLoader(TicketStream("tickets.test.txt", vocab), batch_size=100, collate_fn=collate)

model = BagClassifier(len(vocab) + 1)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.CrossEntropyLoss()

for epoch in range(4):
    model.train()
    total, count = 0.0, 0
    for flat, offsets, y in train:
        loss = criterion(model(flat, offsets), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        count += len(y)
    model.eval()
    right = seen = 0
    test_loss = 0.0
    with torch.no_grad():
        for flat, offsets, y in test:
            logits = model(flat, offsets)
            test_loss += criterion(logits, y).item() * len(y)
            right += (logits.argmax(-1) == y).sum().item()
            seen += len(y)
    sys.stdout.write("epoch %d  loss %.4f  test loss %.4f  accuracy %.3f\n"
                     % (epoch, total / count, test_loss / seen, right / seen))
