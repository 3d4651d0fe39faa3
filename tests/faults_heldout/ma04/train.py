import random

import torch
from torch import nn
from torch.utils.data import DataLoader

from model import StarModel
from reviews import Reviews, build_vocab, collate, read

torch.manual_seed(21)
rows = read("reviews.jsonl")
random.Random(21).shuffle(rows)
cut = int(0.8 * len(rows))
vocab = build_vocab(rows[:cut])
train_set, test_set = Reviews(rows[:cut], vocab), Reviews(rows[cut:], vocab)
loader = DataLoader(train_set, batch_size=32, shuffle=True, collate_fn=collate)

model = StarModel(len(vocab) + 2, 5)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
loss_fn = nn.CrossEntropyLoss()


def rate(ids):
    """stars of a single review, the way the service calls it"""
    return model(ids.unsqueeze(0)).argmax(1).item()


def test():
    model.eval()
    with torch.no_grad():
        pred = [rate(ids) for ids, _ in test_set]
    hits = sum(p == s for p, (_, s) in zip(pred, test_set))
    off = sum(abs(p - s) for p, (_, s) in zip(pred, test_set))
    return hits / len(pred), off / len(pred)


for epoch in range(1, 16):
    model.train()
    total = 0.0
    for ids, lengths, stars in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(ids), stars)
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 3 == 0:
        acc, mae = test()
        print(f"epoch {epoch}: loss {total / len(loader):.3f} | test accuracy {acc:.3f}, mean error {mae:.2f} stars")
