import argparse
import json

import torch
import torch.nn.functional as F

from pairs import PAD, Alphabet, batches, read_tsv
from translator import Translator


class InverseSqrt(torch.optim.lr_scheduler.LambdaLR):
    def __init__(self, optimizer, warmup):
        super().__init__(optimizer, lambda s: min((s + 1) / warmup, (warmup / (s + 1)) ** 0.5))


def exact_match(model, pairs, src, tgt):
    model.eval()
    hit = 0
    for x, y in batches(pairs, src, tgt, 128):
        guess = model.greedy(x, y.size(1))
        hit += sum(tgt.text(g.tolist()) == tgt.text(t.tolist()) for g, t in zip(guess, y))
    model.train()
    return hit / len(pairs)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="dates.json")
    cfg = json.load(open(ap.parse_args().config))
    torch.manual_seed(cfg["seed"])
    shuffle = torch.Generator().manual_seed(cfg["seed"])

    train, dev = read_tsv(cfg["train"]), read_tsv(cfg["dev"])
    src, tgt = Alphabet(a for a, _ in train + dev), Alphabet(b for _, b in train + dev)
    model = Translator(len(src), len(tgt), **cfg["model"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["optimizer"]["lr"], betas=(0.9, 0.98), eps=1e-9)
    sched = InverseSqrt(opt, **cfg["scheduler"])

    for epoch in range(cfg["epochs"]):
        total, tokens = 0.0, 0
        for x, y in batches(train, src, tgt, cfg["batch_size"], shuffle):
            logits = model(x, y)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten(), ignore_index=PAD)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            k = (y != PAD).sum().item()
            total, tokens = total + loss.item() * k, tokens + k
        line = f"epoch {epoch + 1:2d}  token loss {total / tokens:.4f}"
        if (epoch + 1) % 6 == 0:
            line += f"  dev exact match {exact_match(model, dev, src, tgt):.3f}"
        print(line)


if __name__ == "__main__":
    main()
