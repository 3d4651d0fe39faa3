import argparse
import random

import torch
from torch import nn

import corpus


class AddressTagger(nn.Module):
    def __init__(self, n_words, dim=24, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(n_words, dim, padding_idx=corpus.PAD)
        self.rnn = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.2)
        self.tag = nn.Linear(2 * hidden, len(corpus.TAGS))

    def forward(self, ids):
        lengths = (ids != corpus.PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.embed(ids), lengths, batch_first=True, enforce_sorted=False)
        out, _ = nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.tag(self.drop(out))


def validate(model, rows, vocab, criterion):
    model.eval()
    loss_sum, hits, tokens, steps = 0.0, 0, 0, 0
    with torch.no_grad():
        for ids, tags in corpus.batches(rows, vocab, 64):
            logits = model(ids)
            loss_sum += criterion(logits.flatten(0, 1), tags.flatten()).item()
            hits += (logits.argmax(-1) == tags).sum().item()
            tokens += tags.numel()
            steps += 1
    return loss_sum / steps, hits / tokens


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--file", default="addresses.txt")
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=14)
    a = ap.parse_args()
    random.seed(a.seed)
    torch.manual_seed(a.seed)

    rows = corpus.read(a.file)
    random.shuffle(rows)
    cut = len(rows) * 4 // 5
    train, val = rows[:cut], rows[cut:]
    vocab = corpus.vocabulary(train)
    model = AddressTagger(len(vocab) + 2)
    criterion = nn.CrossEntropyLoss(ignore_index=corpus.IGNORE)
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    for epoch in range(a.epochs):
        model.train()
        total, steps = 0.0, 0
        for ids, tags in corpus.batches(train, vocab, a.batch, shuffle=True):
            opt.zero_grad()
            loss = criterion(model(ids).flatten(0, 1), tags.flatten())
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            total += loss.item()
            steps += 1
        sched.step()
        vl, va = validate(model, val, vocab, criterion)
        print(f"epoch {epoch + 1:2d}  train loss {total / steps:.4f}  val loss {vl:.4f}  val token acc {va:.4f}")


if __name__ == "__main__":
    main()
