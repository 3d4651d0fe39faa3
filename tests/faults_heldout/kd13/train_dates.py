import random

import torch
from torch import nn
from torch.utils.data import DataLoader

from model import DateTranslator
from text import PAD, Vocab, make_collate, read_pairs


def exact_match(model, loader, vocab, show=0):
    model.eval()
    right = n = 0
    for src, tgt in loader:
        hyp = model.greedy(src)
        for h, t in zip(hyp.tolist(), tgt.tolist()):
            a, b = vocab.decode(h), vocab.decode(t)
            right += a == b
            if n < show:
                print("   ", a, "|", b)
            n += 1
    return right / n


def val_loss(model, loader, crit):
    model.eval()
    with torch.no_grad():
        ls = [crit(model(s, t).flatten(0, 1), t[:, 1:].flatten()).item() for s, t in loader]
    return sum(ls) / len(ls)


def run(epochs=5, lr=2e-3, batch=64, warm=40):
    torch.manual_seed(100)
    pairs = read_pairs("dates.jsonl")
    random.Random(5).shuffle(pairs)
    # a date may occur in several spellings: split by date, not by line
    days = sorted({b for _, b in pairs})
    held = set(random.Random(6).sample(days, len(days) // 8))
    train = [p for p in pairs if p[1] not in held]
    val = [p for p in pairs if p[1] in held]
    vs, vt = Vocab([a for a, _ in pairs]), Vocab([b for _, b in pairs])
    collate = make_collate(vs, vt)
    dl = DataLoader(train, batch, shuffle=True, collate_fn=collate)
    vl = DataLoader(val, 200, collate_fn=collate)
    print(len(train), "training pairs,", len(val), "held-out pairs")

    model = DateTranslator(len(vs), len(vt))
    crit = nn.CrossEntropyLoss(ignore_index=PAD)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    total = epochs * len(dl)
    sched = torch.optim.lr_scheduler.SequentialLR(opt, [
        torch.optim.lr_scheduler.LinearLR(opt, 0.05, 1.0, warm),
        torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.02, total - warm)], [warm])
    for epoch in range(1, epochs + 1):
        model.train()
        acc = 0.0
        for src, tgt in dl:
            loss = crit(model(src, tgt).flatten(0, 1), tgt[:, 1:].flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            sched.step()
            acc += loss.item()
        print(f"epoch {epoch:2d} train {acc / len(dl):.4f} val {val_loss(model, vl, crit):.4f} "
              f"exact {exact_match(model, vl, vt):.3f}")
    exact_match(model, vl, vt, show=5)


run()
