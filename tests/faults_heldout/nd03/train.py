import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader

from datenorm.data import IGNORE, SEP, DatePairs, Vocab, collate, read_pairs
from datenorm.model import DateLM

ROOT = Path(__file__).resolve().parent


def batch_loss(model, x, y):
    logits = model(x)
    return F.cross_entropy(logits.flatten(0, 1), y.flatten(), ignore_index=IGNORE), logits


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss_sum = tokens = exact = rows = 0
    for x, y in loader:
        loss, logits = batch_loss(model, x, y)
        mask = y != IGNORE
        loss_sum += loss.item() * mask.sum().item()
        tokens += mask.sum().item()
        good = (logits.argmax(-1) == y) | ~mask
        exact += good.all(dim=1).sum().item()
        rows += len(x)
    return loss_sum / tokens, exact / rows


@torch.no_grad()
def generate(model, vocab, text):
    model.eval()
    ids = vocab.encode(text) + [SEP]
    start = len(ids)
    for _ in range(11):
        nxt = model(torch.tensor([ids]))[0, -1].argmax().item()
        if nxt < 3:
            break
        ids.append(nxt)
    return vocab.decode(ids[start:])


def main():
    cfg = json.loads((ROOT / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    train, val = read_pairs(ROOT / "data" / "dates.tsv")
    vocab = Vocab([a + b for a, b in train])
    train_dl = DataLoader(DatePairs(train, vocab), cfg["batch_size"], shuffle=True, collate_fn=collate, drop_last=True)
    val_dl = DataLoader(DatePairs(val, vocab), 256, collate_fn=collate)
    model = DateLM(len(vocab), **cfg["model"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"], betas=(0.9, 0.98))
    total = cfg["epochs"] * len(train_dl)
    warm = cfg["warmup_steps"]

    def factor(step):
        if step < warm:
            return (step + 1) / warm
        return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    print(f"{len(train)} train / {len(val)} val pairs, vocab {len(vocab)}, "
          f"{sum(p.numel() for p in model.parameters())} parameters, {total} steps")
    step = clipped = 0
    for epoch in range(cfg["epochs"]):
        model.train()
        seen = 0.0
        for x, y in train_dl:
            loss, _ = batch_loss(model, x, y)
            opt.zero_grad()
            loss.backward()
            norm = clip_grad_norm_(model.parameters(), cfg["grad_clip"])
            clipped += int(norm > cfg["grad_clip"])
            opt.step()
            sched.step()
            step += 1
            seen += loss.item()
        vl, em = evaluate(model, val_dl)
        print(f"epoch {epoch + 1}  step {step}  train {seen / len(train_dl):.4f}  val {vl:.4f}  "
              f"val exact {em:.3f}  clipped {clipped / step:.2f}", flush=True)
    hits = 0
    for text, iso in val[:60]:
        hits += generate(model, vocab, text) == iso
    print(f"free-running exact match {hits / 60:.3f}; e.g. {val[0][0]!r} -> {generate(model, vocab, val[0][0])}")


if __name__ == "__main__":
    main()
