"""Routes support tickets to the team that should answer them."""
import argparse
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

import data


class TicketRouter(nn.Module):
    def __init__(self, n_words, n_queues, dim=32, p_drop=0.5):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_words, dim, mode="mean")
        self.hidden = nn.Linear(dim, 32)
        self.out = nn.Linear(32, n_queues)
        self.p_drop = p_drop

    def forward(self, ids, offsets):
        h = F.dropout(self.bag(ids, offsets), self.p_drop)
        h = F.relu(self.hidden(h))
        return self.out(h)


def train_epoch(model, rows, vocab, opt, size):
    model.train()
    total = 0.0
    for ids, offsets, labels in data.batches(rows, vocab, size, shuffle=True):
        opt.zero_grad()
        loss = F.cross_entropy(model(ids, offsets), labels)
        loss.backward()
        opt.step()
        total += loss.item() * len(labels)
    return total / len(rows)


@torch.no_grad()
def evaluate(model, rows, vocab):
    model.eval()
    ids, offsets, labels = vocab.encode(rows)
    logits = model(ids, offsets)
    return F.cross_entropy(logits, labels).item(), (logits.argmax(1) == labels).float().mean().item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tickets", default="tickets.jsonl")
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--seed", type=int, default=21)
    a = p.parse_args()
    random.seed(a.seed)
    torch.manual_seed(a.seed)

    train_rows, val_rows = data.split(data.read(a.tickets), a.seed)
    vocab = data.Vocab(train_rows)
    model = TicketRouter(len(vocab.words), len(vocab.queues))
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    for epoch in range(1, a.epochs + 1):
        tr = train_epoch(model, train_rows, vocab, opt, a.batch)
        sched.step()
        if epoch % 3 == 0:
            vl, va = evaluate(model, val_rows, vocab)
            print(f"epoch {epoch:2d}  train loss {tr:.3f}  val loss {vl:.3f}  val acc {va:.3f}")


if __name__ == "__main__":
    main()
