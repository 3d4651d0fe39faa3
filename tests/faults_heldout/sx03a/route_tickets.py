"""Route short support tickets to one of six desks. Tickets are streamed from disk."""
import csv
import random
from collections import Counter
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

HERE = Path(__file__).parent
SEED = 5
MAX_LEN = 12
EPOCHS = 5
BATCH = 16
BUFFER = 32

random.seed(SEED)
torch.manual_seed(SEED)

DESKS = ["billing", "shipping", "login", "hardware", "refunds", "feedback"]


def rows(path):
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            yield row["text"].split(), DESKS.index(row["desk"])


counts = Counter(w for words, _ in rows(HERE / "tickets_train.csv") for w in words)
vocab = {"<pad>": 0, "<unk>": 1}
for w, n in counts.most_common():
    if n >= 2:
        vocab[w] = len(vocab)


def encode(words):
    ids = [vocab.get(w, 1) for w in words[:MAX_LEN]]
    return ids + [0] * (MAX_LEN - len(ids))


class TicketStream(IterableDataset):
    """Reads the file line by line, with a small buffer from which samples are drawn at random."""

    def __init__(self, path, buffer_size=0):
        self.path = path
        self.buffer_size = buffer_size

    def __iter__(self):
        buf = []
        for words, desk in rows(self.path):
            item = torch.tensor(encode(words)), torch.tensor(desk)
            if self.buffer_size == 0:
                yield item
                continue
            if len(buf) < self.buffer_size:
                buf.append(item)
                continue
            k = random.randrange(len(buf))
            out, buf[k] = buf[k], item
            yield out
        random.shuffle(buf)
        yield from buf


class TicketNet(nn.Module):
    def __init__(self, n_words, n_out, dim=32):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.conv = nn.Conv1d(dim, 48, 3, padding=1)
        self.out = nn.Sequential(nn.Dropout(0.3), nn.Linear(48, n_out))

    def forward(self, ids):
        h = self.emb(ids).transpose(1, 2)
        h = torch.relu(self.conv(h))
        return self.out(h.amax(dim=2))


train_loader = DataLoader(TicketStream(HERE / "tickets_train.csv", BUFFER), batch_size=BATCH)
valid_loader = DataLoader(TicketStream(HERE / "tickets_valid.csv"), batch_size=64)

model = TicketNet(len(vocab), len(DESKS))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(EPOCHS):
    model.train()
    total = n = 0
    for ids, desk in train_loader:
        optimizer.zero_grad()
        loss = loss_fn(model(ids), desk)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(desk)
        n += len(desk)

    model.eval()
    good = m = 0
    with torch.no_grad():
        for ids, desk in valid_loader:
            good += (model(ids).argmax(1) == desk).sum().item()
            m += len(desk)
    print(f"epoch {epoch + 1}: loss {total / n:.4f}  valid accuracy {good / m:.3f}")
