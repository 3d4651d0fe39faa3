import math
import random
from pathlib import Path

import torch
import yaml
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence

from model import Normaliser
from vocab import BOS, EOS, PAD, Vocab

root = Path(__file__).resolve().parent
cfg = yaml.safe_load((root / "settings.yaml").read_text())
random.seed(cfg["seed"])
torch.manual_seed(cfg["seed"])

rows = [line.split("\t") for line in (root / cfg["data"]).read_text().splitlines()]
random.shuffle(rows)
held, rows = rows[:400], rows[400:]
sv, tv = Vocab(r[0] for r in rows), Vocab(r[1] for r in rows)


def collate(batch):
    src = pad_sequence([torch.tensor(sv.encode(s)) for s, _ in batch], True, PAD)
    tgt = pad_sequence([torch.tensor([BOS] + tv.encode(t) + [EOS]) for _, t in batch], True, PAD)
    return src, tgt


def make_schedule(optimizer, warmup, decay_steps):
    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        progress = min(1.0, (step - warmup) / max(1, decay_steps - warmup))
        return 0.5 * (1 + math.cos(math.pi * progress))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


def evaluate(model):
    model.eval()
    src, tgt = collate(held)
    with torch.no_grad():
        logits = model(src, tgt[:, :-1])
        loss = cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD)
    guess = model.greedy(src, 11)
    exact = sum(tv.decode(g.tolist()) == t for g, (_, t) in zip(guess, held)) / len(held)
    return loss.item(), exact


model = Normaliser(len(sv), len(tv), **cfg["model"])
o, r = cfg["optim"], cfg["run"]
optimizer = torch.optim.AdamW(model.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
schedule = make_schedule(optimizer, o["warmup"], o["decay_steps"])

for epoch in range(r["epochs"]):
    model.train()
    random.shuffle(rows)
    losses = []
    for i in range(0, len(rows), r["batch_size"]):
        src, tgt = collate(rows[i:i + r["batch_size"]])
        logits = model(src, tgt[:, :-1])
        loss = cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    val, exact = evaluate(model)
    print(f"[{epoch + 1:02d}] train {sum(losses) / len(losses):.3f} val {val:.3f} exact match {exact:.3f}")
