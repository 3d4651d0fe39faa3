import csv
import random
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader

from model import TraceClassifier
from optim import build_optimizer


@dataclass
class Config:
    data: str = "sessions.csv"
    lr: float = 6e-3
    weight_decay: float = 0.01
    batch: int = 64
    epochs: int = 14
    seed: int = 17


def read(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    letters = {c: i + 1 for i, c in enumerate(sorted(set("".join(r["trace"] for r in rows))))}
    labels = {c: i for i, c in enumerate(sorted({r["outcome"] for r in rows}))}
    data = [(torch.tensor([letters[c] for c in r["trace"]]), labels[r["outcome"]]) for r in rows]
    return data, len(letters) + 1, len(labels)


def collate(items):
    seqs, ys = zip(*items)
    lengths = torch.tensor([len(s) for s in seqs])
    return nn.utils.rnn.pad_sequence(seqs, batch_first=True), lengths, torch.tensor(ys)


def main(cfg=Config()):
    random.seed(cfg.seed)
    torch.manual_seed(cfg.seed)
    data, vocab, classes = read(cfg.data)
    random.shuffle(data)
    cut = int(0.8 * len(data))
    train = DataLoader(data[:cut], cfg.batch, shuffle=True, collate_fn=collate)
    test = DataLoader(data[cut:], 256, collate_fn=collate)

    model = TraceClassifier(vocab, classes=classes)
    opt = build_optimizer(model, cfg.lr, cfg.weight_decay)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs * len(train))
    ce = nn.CrossEntropyLoss()
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        tot = 0.0
        for ids, lengths, y in train:
            opt.zero_grad(set_to_none=True)
            loss = ce(model(ids, lengths), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            tot += loss.item() * len(y)
        model.eval()
        ok = 0
        with torch.no_grad():
            for ids, lengths, y in test:
                ok += (model(ids, lengths).argmax(-1) == y).sum().item()
        print(f"{epoch:3d} | loss {tot / cut:.4f} | test acc {ok / (len(data) - cut):.4f}")


if __name__ == "__main__":
    main()
