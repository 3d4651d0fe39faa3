import json
import random

import torch
import torch.nn.functional as F

from net import LogReader

SEED, BATCH, EPOCHS, LR = 5, 50, 30, 4e-3


def load(path="logs.json"):
    records = json.load(open(path))
    random.Random(SEED).shuffle(records)
    vocab = sorted({c for r in records for c in r["e"]})
    x = torch.tensor([[vocab.index(c) for c in r["e"]] for r in records])
    y = torch.tensor([r["pallets"] for r in records])
    return x, y, len(vocab)


def batches(x, y, shuffle):
    order = torch.randperm(len(x)) if shuffle else torch.arange(len(x))
    for i in order.split(BATCH):
        yield x[i], y[i]


def test(model, x, y):
    model.eval()
    ok = 0
    with torch.no_grad():
        for xb, yb in batches(x, y, shuffle=False):
            ok += (model(xb).argmax(1) == yb).sum().item()
    return ok / len(x)


def main():
    torch.manual_seed(SEED)
    x, y, n_events = load()
    x_train, y_train, x_test, y_test = x[:2000], y[:2000], x[2000:], y[2000:]
    model = LogReader(n_events, int(y.max()) + 1)
    optim = torch.optim.Adam(model.parameters(), lr=LR)
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for xb, yb in batches(x_train, y_train, shuffle=True):
            optim.zero_grad()
            loss = F.cross_entropy(model(xb), yb)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            optim.step()
            losses.append(loss.item())
        if epoch % 3 == 2:
            print(f"epoch={epoch + 1} loss={sum(losses) / len(losses):.4f} "
                  f"test_acc={test(model, x_test, y_test):.4f}")


main()
