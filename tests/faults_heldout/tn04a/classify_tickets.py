# Which queue does a ticket belong to? Bag of uni- and bigrams, averaged embeddings.
import random
from collections import Counter

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

SEED = 0
EPOCHS = 10
random.seed(SEED)
torch.manual_seed(SEED)


def read_split(name):
    with open(f"{name}_text.txt") as texts, open(f"{name}_queue.txt") as queues:
        return [(t.strip().lower(), q.strip()) for t, q in zip(texts, queues)]


def grams(text):
    words = text.replace(",", " ").split()
    words = ["<num>" if w.isdigit() else w for w in words]
    return words + [a + "_" + b for a, b in zip(words, words[1:])]


train, test = read_split("train"), read_split("test")
random.shuffle(train)
dev, train = train[:150], train[150:]

freq = Counter(g for t, _ in train for g in grams(t))
vocab = {g: i for i, g in enumerate((g for g, n in freq.items() if n >= 3), start=1)}
queues = sorted({q for _, q in train})
print(f"{len(train)} train / {len(dev)} dev / {len(test)} test, {len(vocab)} grams, queues: {', '.join(queues)}")


def encode(rows):
    ids = [torch.tensor([vocab[g] for g in grams(t) if g in vocab] or [0]) for t, _ in rows]
    return pad_sequence(ids, batch_first=True), torch.tensor([queues.index(q) for _, q in rows])


class BagClassifier(nn.Module):
    def __init__(self, n_grams, n_out, dim=32, p=0.3):
        super().__init__()
        self.emb = nn.EmbeddingBag(n_grams + 1, dim, padding_idx=0, mode="mean")
        self.drop = nn.Dropout(p)
        self.out = nn.Linear(dim, n_out)

    def forward(self, ids):
        return self.out(self.drop(self.emb(ids)))


x_train, y_train = encode(train)
x_dev, y_dev = encode(dev)
x_test, y_test = encode(test)

model = BagClassifier(len(vocab), len(queues))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)


def accuracy(x, y):
    model.eval()
    with torch.no_grad():
        hit = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return hit


for epoch in range(1, EPOCHS + 1):
    total = 0.0
    for idx in torch.randperm(len(x_train)).split(32):
        optimizer.zero_grad()
        loss = criterion(model(x_train[idx]), y_train[idx])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    print(f"epoch {epoch:2d}: loss {total / len(x_train):.3f}, dev accuracy {accuracy(x_dev, y_dev):.3f}")

print(f"test accuracy {accuracy(x_test, y_test):.3f}")
