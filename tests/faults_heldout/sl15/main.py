import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from tickets.data import DESKS, Tickets, normalise, read
from tickets.model import Router
from tickets.text import Vocab

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 12
EPOCHS = 8


def score(model, loader):
    model.eval()
    loss = hit = n = 0
    with torch.no_grad():
        for ids, desk in loader:
            out = model(ids)
            loss += F.cross_entropy(out, desk, reduction="sum").item()
            hit += (out.argmax(1) == desk).sum().item()
            n += len(desk)
    return loss / n, hit / n


def main():
    torch.manual_seed(SEED)
    train_rows, dev_rows = read("train.jsonl"), read("dev.jsonl")
    vocab = Vocab([normalise(r["text"]) for r in train_rows])
    train = DataLoader(Tickets(train_rows, vocab, prepare=normalise), batch_size=16, shuffle=True)
    dev = DataLoader(Tickets(dev_rows, vocab), batch_size=128)

    model = Router(len(vocab), len(DESKS))
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.05)
    print(f"{len(train_rows)} train, {len(dev_rows)} dev, {len(vocab)} words")
    for epoch in range(EPOCHS):
        model.train()
        total = 0.0
        for ids, desk in train:
            loss = F.cross_entropy(model(ids), desk)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        dl, da = score(model, dev)
        print(f"epoch {epoch + 1}  train loss {total / len(train):.4f}  dev loss {dl:.4f}  dev accuracy {da:.3f}")


if __name__ == "__main__":
    main()
