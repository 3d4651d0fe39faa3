# Route customer tickets to one of four queues.
import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


@dataclass
class Settings:
    path: Path = Path(__file__).parent / "tickets.jsonl"
    max_len: int = 60
    emb: int = 32
    hidden: int = 48
    epochs: int = 12
    batch: int = 32
    lr: float = 2e-3
    seed: int = 21


S = Settings()


def read(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    random.Random(0).shuffle(rows)
    return rows[:1000], rows[1000:]


class Vocab:
    def __init__(self, rows):
        counts = Counter(w for r in rows for w in r["text"].split())
        self.index = {w: i + 2 for i, (w, _) in enumerate(counts.most_common())}
        self.queues = sorted({r["queue"] for r in rows})

    def __len__(self):
        return len(self.index) + 2

    def encode(self, row):
        ids = [self.index.get(w, 1) for w in row["text"].split()][: S.max_len]
        return torch.tensor(ids), self.queues.index(row["queue"])


def collate(batch):
    ids, labels = zip(*batch)
    lengths = torch.tensor([len(i) for i in ids])
    ids = pad_sequence(ids, batch_first=True)
    ids = nn.functional.pad(ids, (0, S.max_len - ids.shape[1]))
    return ids, lengths, torch.tensor(labels)


class Router(nn.Module):
    def __init__(self, n_words, n_queues):
        super().__init__()
        self.embed = nn.Embedding(n_words, S.emb, padding_idx=0)
        self.rnn = nn.LSTM(S.emb, S.hidden, batch_first=True)
        self.out = nn.Linear(S.hidden, n_queues)

    def forward(self, ids, lengths):
        states, _ = self.rnn(self.embed(ids))
        summary = states[:, -1]
        return self.out(summary)


def run_epoch(model, loader, opt=None):
    model.train(opt is not None)
    loss_sum = hits = n = 0
    with torch.set_grad_enabled(opt is not None):
        for ids, lengths, y in loader:
            logits = model(ids, lengths)
            loss = nn.functional.cross_entropy(logits, y)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                opt.step()
            loss_sum += loss.item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            n += len(y)
    return loss_sum / n, hits / n


def main():
    torch.manual_seed(S.seed)
    train_rows, test_rows = read(S.path)
    vocab = Vocab(train_rows)
    train = DataLoader([vocab.encode(r) for r in train_rows], S.batch, shuffle=True, collate_fn=collate)
    test = DataLoader([vocab.encode(r) for r in test_rows], 100, collate_fn=collate)
    model = Router(len(vocab), len(vocab.queues))
    opt = torch.optim.Adam(model.parameters(), lr=S.lr)
    for epoch in range(S.epochs):
        tl, ta = run_epoch(model, train, opt)
        vl, va = run_epoch(model, test)
        print(f"[{epoch + 1:02d}] train loss {tl:.3f} acc {ta:.3f} | held-out loss {vl:.3f} acc {va:.3f}")


main()
