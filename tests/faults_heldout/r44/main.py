import argparse
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

PAD = 0
LETTERS = 16
_r = random.Random(1234)
TABLE = [[_r.randint(1, 5) for _ in range(LETTERS + 1)] for _ in range(LETTERS + 1)]


class Tagging(Dataset):
    """Tag each symbol according to the symbol itself and the one before it (5 tags)."""

    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.items = []
        for _ in range(n):
            length = rng.randint(60, 90) if rng.random() < 0.04 else rng.randint(3, 8)
            s = [rng.randint(1, LETTERS) for _ in range(length)]
            tags, prev = [], 0
            for c in s:
                tags.append(TABLE[prev][c])
                prev = c
            self.items.append((torch.tensor(s), torch.tensor(tags)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    x, y = zip(*batch)
    return pad_sequence(x, batch_first=True, padding_value=PAD), pad_sequence(y, batch_first=True, padding_value=PAD)


class Tagger(nn.Module):
    def __init__(self, emb=24, hidden=48, n_tags=6):
        super().__init__()
        self.emb = nn.Embedding(LETTERS + 1, emb, padding_idx=PAD)
        self.rnn = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


def token_accuracy(model, loader):
    model.eval()
    hit = n = 0
    with torch.no_grad():
        for x, y in loader:
            m = y != PAD
            hit += (model(x).argmax(-1)[m] == y[m]).sum().item()
            n += m.sum().item()
    return hit / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--lr", type=float, default=0.15)
    a = ap.parse_args()
    torch.manual_seed(0)
    train = DataLoader(Tagging(2000, 1), batch_size=32, shuffle=True, collate_fn=collate)
    val = DataLoader(Tagging(400, 2), batch_size=50, collate_fn=collate)
    model = Tagger()
    crit = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(model.parameters(), lr=a.lr, momentum=0.9)
    for epoch in range(a.epochs):
        model.train()
        tot = 0.0
        for x, y in train:
            logits = model(x)
            loss = crit(logits.transpose(1, 2), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            tot += loss.item()
        print(f"epoch {epoch} loss {tot / len(train):.4f} token acc {token_accuracy(model, val):.4f}")


if __name__ == "__main__":
    main()
