import csv
import random
from collections import Counter
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader

PAD, UNK = 0, 1


def read(path):
    with open(path, newline="") as f:
        return [(row["text"].split(), int(row["label"])) for row in csv.DictReader(f)]


def build_vocab(rows, min_count=2):
    counts = Counter(w for words, _ in rows for w in words)
    return {w: i + 2 for i, w in enumerate(sorted(w for w, c in counts.items() if c >= min_count))}


def collate(vocab):
    def fn(batch):
        ids = [torch.tensor([vocab.get(w, UNK) for w in words]) for words, _ in batch]
        lens = torch.tensor([len(i) for i in ids])
        return pad_sequence(ids, batch_first=True, padding_value=PAD), lens, torch.tensor([y for _, y in batch])
    return fn


class GRUClassifier(nn.Module):
    def __init__(self, n_words, emb=32, hidden=48, word_drop=0.15):
        super().__init__()
        self.emb = nn.Embedding(n_words, emb, padding_idx=PAD)
        self.rnn = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * hidden, 32)
        self.out = nn.Linear(32, 2)
        self.word_drop = word_drop

    def forward(self, ids, lens):
        e = F.dropout1d(self.emb(ids), self.word_drop)      # leaves out whole words
        packed = pack_padded_sequence(e, lens, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        h = torch.cat([h[0], h[1]], dim=1)
        return self.out(F.relu(self.fc(h)))


def accuracy(model, loader):
    model.eval()
    right = n = 0
    with torch.no_grad():
        for ids, lens, y in loader:
            right += (model(ids, lens).argmax(1) == y).sum().item()
            n += len(y)
    return right / n


def main():
    torch.manual_seed(8)
    rows = read(Path(__file__).with_name("reviews.csv"))
    random.Random(8).shuffle(rows)
    train, test = rows[:2000], rows[2000:]
    vocab = build_vocab(train)
    fn = collate(vocab)
    train_dl = DataLoader(train, 40, shuffle=True, collate_fn=fn)
    test_dl = DataLoader(test, 200, collate_fn=fn)
    model = GRUClassifier(len(vocab) + 2)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(1, 13):
        model.train()
        tot = 0.0
        for ids, lens, y in train_dl:
            loss = F.cross_entropy(model(ids, lens), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            tot += loss.item()
        print(f"{epoch:2d} | loss {tot / len(train_dl):.3f} | test acc {accuracy(model, test_dl):.3f}")


if __name__ == "__main__":
    main()
