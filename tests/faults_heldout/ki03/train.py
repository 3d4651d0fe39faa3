# routes incoming messages to a desk: billing, shipping, account, quality
import random
from collections import Counter

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

random.seed(1)
torch.manual_seed(1)
DESKS = ["billing", "shipping", "account", "quality"]
rows = [line.rstrip("\n").split("\t") for line in open("messages.tsv")]
rows = sorted(set(map(tuple, rows)))
random.shuffle(rows)
cut = int(0.8 * len(rows))
train, dev = rows[:cut], rows[cut:]
freq = Counter(w for _, text in train for w in text.split())
vocab = {w: i + 2 for i, (w, n) in enumerate(freq.most_common()) if n >= 2}


def encode(text):
    return torch.tensor([vocab.get(w, 1) for w in text.split()])


def batches(part, size, shuffle):
    idx = list(range(len(part)))
    if shuffle:
        random.shuffle(idx)
    for k in range(0, len(idx), size):
        chunk = [part[j] for j in idx[k:k + size]]
        seqs = [encode(t) for _, t in chunk]
        yield pad_sequence(seqs, batch_first=True), torch.tensor([len(s) for s in seqs]), torch.tensor([DESKS.index(c) for c, _ in chunk])


class Router(nn.Module):
    def __init__(self, n_words, dim=24, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.drop = nn.Dropout(0.3)
        self.rnn = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, len(DESKS))

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.drop(self.emb(ids)), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.out(self.drop(torch.cat([h[0], h[1]], 1)))


net = Router(len(vocab) + 2)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
loss_fn = nn.CrossEntropyLoss()


def score(part):
    net.eval()
    right, loss = 0, 0.0
    with torch.no_grad():
        for ids, n, y in batches(part, 128, False):
            z = net(ids, n)
            right += (z.argmax(1) == y).sum().item()
            loss += loss_fn(z, y).item() * len(y)
    net.train()
    return loss / len(part), right / len(part)


print(len(train), "training messages,", len(vocab), "words")
for epoch in range(1, 9):
    for ids, n, y in batches(train, 32, True):
        opt.zero_grad()
        loss = loss_fn(net(ids, n), y)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
    print("epoch %d train %.3f/%.3f dev %.3f/%.3f" % (epoch, *score(train), *score(dev)))
