import json
from collections import Counter

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(17)
DIM, BATCH, EPOCHS = 8, 40, 7

docs = [json.loads(line) for line in open("queries.jsonl")]
order = torch.randperm(len(docs)).tolist()
cut = int(0.85 * len(docs))
train_docs = [docs[i] for i in order[:cut]]
test_docs = [docs[i] for i in order[cut:]]

counts = Counter(w for d in train_docs for w in d["q"].split())
vocab = {w: i + 1 for i, (w, c) in enumerate(counts.most_common()) if c > 1}   # 0 = unknown word
intents = sorted({d["intent"] for d in docs})


class IntentModel(nn.Module):
    def __init__(self, n_words, dim, n_out):
        super().__init__()
        # start with a narrower spread than N(0, 1)
        table = torch.empty(n_words, dim).uniform_(-0.5, 0.5)
        self.words = nn.EmbeddingBag.from_pretrained(table, mode="mean")
        self.hidden = nn.Linear(dim, 32)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(32, n_out)

    def forward(self, flat, offsets):
        h = F.relu(self.hidden(self.words(flat, offsets)))
        return self.out(self.drop(h))


def encode(batch):
    flat, offsets, y = [], [], []
    for d in batch:
        offsets.append(len(flat))
        flat += [vocab.get(w, 0) for w in d["q"].split()]
        y.append(intents.index(d["intent"]))
    return torch.tensor(flat), torch.tensor(offsets), torch.tensor(y)


model = IntentModel(len(vocab) + 1, DIM, len(intents))
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
test_batch = encode(test_docs)
print(f"{len(train_docs)} train, {len(test_docs)} test, {len(vocab)} words, {len(intents)} intents")

for epoch in range(EPOCHS):
    model.train()
    perm = torch.randperm(len(train_docs)).tolist()
    total = 0.0
    for lo in range(0, len(perm), BATCH):
        flat, offsets, y = encode([train_docs[i] for i in perm[lo:lo + BATCH]])
        loss = F.cross_entropy(model(flat, offsets), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(y)
    model.eval()
    with torch.no_grad():
        flat, offsets, y = test_batch
        logits = model(flat, offsets)
    print(f"epoch {epoch:2d} train {total / len(train_docs):.3f} test {F.cross_entropy(logits, y).item():.3f} "
          f"acc {(logits.argmax(1) == y).float().mean().item():.3f}")
