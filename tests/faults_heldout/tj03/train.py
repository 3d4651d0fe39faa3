"""Route support tickets to a queue."""
import csv
import random
import sys

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

from vocab import Vocab

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 7
EPOCHS = 14
random.seed(SEED)
torch.manual_seed(SEED)


def read(path):
    seen, rows = set(), []
    with open(path, newline="", encoding="utf-8") as f:
        for r in csv.DictReader(f, delimiter="\t"):
            if r["text"] not in seen:
                seen.add(r["text"])
                rows.append((r["text"], r["queue"]))
    return rows


class TicketNet(nn.Module):
    """Embedding, one convolution, masked mean over the words."""

    def __init__(self, n_words, n_classes, dim=24, channels=32):
        super().__init__()
        self.embed = nn.Embedding(n_words, dim, padding_idx=Vocab.PAD)
        self.conv = nn.Conv1d(dim, channels, kernel_size=1)
        self.drop = nn.Dropout(0.4)
        self.out = nn.Linear(channels, n_classes)

    def forward(self, ids):
        mask = (ids != Vocab.PAD).unsqueeze(1).float()
        x = self.drop(self.embed(ids)).transpose(1, 2)
        h = torch.relu(self.conv(x)) * mask
        h = h.sum(2) / mask.sum(2).clamp(min=1)
        return self.out(self.drop(h))


rows = read("tickets.tsv")
random.shuffle(rows)
n_test, n_val = 250, 250
test, val, train = rows[:n_test], rows[n_test:n_test + n_val], rows[n_test + n_val:]
vocab = Vocab(t for t, _ in train)
classes = sorted({q for _, q in train})
print(len(train), "train tickets,", len(vocab), "words,", classes)


def collate(batch):
    ids = [torch.tensor(vocab.encode(t)) for t, _ in batch]
    return pad_sequence(ids, batch_first=True, padding_value=Vocab.PAD), torch.tensor([classes.index(q) for _, q in batch])


train_dl = DataLoader(train, batch_size=32, shuffle=True, collate_fn=collate)
val_dl = DataLoader(val, batch_size=128, collate_fn=collate)
test_dl = DataLoader(test, batch_size=128, collate_fn=collate)
fit_dl = DataLoader(train, batch_size=128, collate_fn=collate)

model = TicketNet(len(vocab), len(classes))
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.02)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=EPOCHS * len(train_dl))
criterion = nn.CrossEntropyLoss()


@torch.no_grad()
def evaluate(loader):
    model.eval()
    loss, right, n = 0.0, 0, 0
    for ids, y in loader:
        out = model(ids)
        loss += criterion(out, y).item() * len(y)
        right += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, right / n


best = float("inf")
for epoch in range(EPOCHS):
    model.train()
    running = 0.0
    for ids, y in train_dl:
        optimizer.zero_grad()
        loss = criterion(model(ids), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        running += loss.item() * len(y)
    tl, ta = evaluate(fit_dl)
    vl, va = evaluate(val_dl)
    if vl < best:
        best = vl
        kept = {k: v.clone() for k, v in model.state_dict().items()}
    print(f"epoch {epoch:2d}  running {running / len(train):.3f}  train {tl:.3f}/{ta:.3f}  val {vl:.3f}/{va:.3f}")

model.load_state_dict(kept)
tl, ta = evaluate(test_dl)
print(f"test loss {tl:.3f}  accuracy {ta:.3f}")
