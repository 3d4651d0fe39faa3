"""Tag each token of short log lines: number, verb, noun or other."""
import json
from pathlib import Path

import torch
from torch import nn, optim
from torch.utils.data import DataLoader

FOLDER = Path(__file__).resolve().parent
TAGS = ["<pad>", "O", "NUM", "VERB", "NOUN"]
PAD = 0


class Corpus:
    def __init__(self, path):
        self.rows = json.loads(path.read_text())
        words = {w for r in self.rows for w in r["words"]}
        self.vocab = {w: i + 1 for i, w in enumerate(sorted(words))}

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        r = self.rows[i]
        return [self.vocab[w] for w in r["words"]], [TAGS.index(t) for t in r["tags"]]


def pad(rows):
    width = max(len(words) for words, _ in rows)
    fill = lambda xs: xs + [PAD] * (width - len(xs))
    return torch.tensor([fill(w) for w, _ in rows]), torch.tensor([fill(t) for _, t in rows])


class Tagger(nn.Module):
    def __init__(self, n_words, dim=16, hidden=24):
        super().__init__()
        self.embed = nn.Embedding(n_words + 1, dim, padding_idx=PAD)
        self.rnn = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, len(TAGS))

    def forward(self, words):
        return self.out(self.rnn(self.embed(words))[0])


def token_accuracy(model, loader):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for words, tags in loader:
            real = tags != PAD
            right += (model(words).argmax(-1) == tags)[real].sum().item()
            total += real.sum().item()
    model.train()
    return right / total


torch.manual_seed(14)
corpus = Corpus(FOLDER / "lines.json")
cut = int(0.8 * len(corpus))
train = DataLoader(torch.utils.data.Subset(corpus, range(cut)), batch_size=16, shuffle=True, collate_fn=pad)
valid = DataLoader(torch.utils.data.Subset(corpus, range(cut, len(corpus))), batch_size=32, collate_fn=pad)
model = Tagger(len(corpus.vocab))
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.15, momentum=0.7)
for epoch in range(12):
    total = 0.0
    for words, tags in train:
        optimizer.zero_grad()
        loss = criterion(model(words).flatten(0, 1), tags.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch + 1} loss {total / len(train):.4f} token accuracy {token_accuracy(model, valid):.4f}")
