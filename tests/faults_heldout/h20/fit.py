import os
import random

import torch
from torch import nn
from torch.utils.data import DataLoader

from translate.model import Seq2Seq
from translate.text import PAD, Chars, Collate

ROOT = os.path.dirname(os.path.abspath(__file__))


def read(path):
    with open(path) as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f]


def evaluate(model, loader, tgt, criterion):
    model.eval()
    right = total = 0
    loss = 0.0
    with torch.no_grad():
        for s, n, t, text in loader:
            logits = model(s, n, t[:, :-1])
            loss += criterion(logits.flatten(0, 1), t[:, 1:].flatten()).item() * len(s)
            for ids, ref in zip(model.greedy(s, n).tolist(), text):
                right += tgt.decode(ids) == ref
            total += len(s)
    return loss / total, right / total


def main(epochs=4, batch=32, lr=4e-3):
    random.seed(0), torch.manual_seed(0)
    pairs = read(os.path.join(ROOT, "dates.tsv"))
    random.shuffle(pairs)
    train, val = pairs[:2600], pairs[2600:]
    src, tgt = Chars([a for a, _ in train]), Chars([b for _, b in train])
    collate = Collate(src, tgt)
    train_loader = DataLoader(train, batch_size=batch, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(val, batch_size=200, collate_fn=collate)
    model = Seq2Seq(len(src), len(tgt))
    criterion = nn.CrossEntropyLoss(ignore_index=PAD)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.6)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for s, n, t, _ in train_loader:
            logits = model(s, n, t[:, :-1])           # teacher forcing
            loss = criterion(logits.flatten(0, 1), t[:, 1:].flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item()
        sched.step()
        vl, exact = evaluate(model, val_loader, tgt, criterion)
        print(f"epoch {epoch + 1}  train {total / len(train_loader):.4f}  val {vl:.4f}  exact match {exact:.3f}")


if __name__ == "__main__":
    main()
