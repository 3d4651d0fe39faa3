import argparse
import random
from pathlib import Path

import torch
from torch import nn

import models  # noqa: F401
from registry import MODELS, SCHEDULES, TOKENIZERS
from text import PAD, collate, read_pairs

ap = argparse.ArgumentParser(description="normalise written dates to ISO")
ap.add_argument("--data", default=str(Path(__file__).resolve().parent))
ap.add_argument("--model", default="transformer", choices=MODELS)
ap.add_argument("--schedule", default="warmup_linear", choices=SCHEDULES)
ap.add_argument("--warmup", type=int, default=60)
ap.add_argument("--lr", type=float, default=3e-3)
ap.add_argument("--epochs", type=int, default=7)
ap.add_argument("--batch", type=int, default=64)
args = ap.parse_args()

torch.manual_seed(3)
shuffler = random.Random(3)
train, valid, test = (read_pairs(Path(args.data) / f"{n}.txt") for n in ("train", "valid", "test"))
src_tok = TOKENIZERS["char"]([a for a, _ in train])
tgt_tok = TOKENIZERS["char"]([b for _, b in train])

net = MODELS[args.model](len(src_tok), len(tgt_tok))
opt = torch.optim.AdamW(net.parameters(), lr=args.lr, betas=(0.9, 0.98), weight_decay=0.01)
total_steps = args.epochs * -(-len(train) // args.batch)
sched = torch.optim.lr_scheduler.LambdaLR(opt, SCHEDULES[args.schedule](args.warmup, total_steps))
xent = nn.CrossEntropyLoss(ignore_index=PAD)


def loss_of(pairs):
    src, tgt = collate(pairs, src_tok, tgt_tok)
    logits = net(src, tgt[:, :-1])
    return xent(logits.flatten(0, 1), tgt[:, 1:].flatten())


def exact_match(pairs):
    net.eval()
    src, _ = collate(pairs, src_tok, tgt_tok)
    hyp = [tgt_tok.decode(r) for r in net.greedy(src).tolist()]
    return sum(h == b for h, (_, b) in zip(hyp, pairs)) / len(pairs), hyp


for epoch in range(args.epochs):
    net.train()
    shuffler.shuffle(train)
    chunks = [train[i:i + args.batch] for i in range(0, len(train), args.batch)]
    total = 0.0
    for chunk in chunks:
        loss = loss_of(chunk)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        total += loss.item()
    net.eval()
    with torch.no_grad():
        vl = loss_of(valid).item()
    em, _ = exact_match(valid)
    print(f"epoch {epoch + 1}  lr {sched.get_last_lr()[0]:.5f}  train {total / len(chunks):.4f}  valid {vl:.4f}  exact {em:.3f}")

em, hyp = exact_match(test)
print(f"test exact match {em:.3f}")
for (a, b), h in list(zip(test, hyp))[:4]:
    print(f"   {a!r:28} -> {h}  ({b})")
