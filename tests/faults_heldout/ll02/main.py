"""Character model of a harbour log.   python main.py --steps 800"""
import argparse
import math
from pathlib import Path

import torch
import torch.nn.functional as F

from corpus import CharCorpus
from gpt import TinyGPT


def lr_at(step, args):
    if step < args.warmup:
        return args.lr * (step + 1) / args.warmup
    p = (step - args.warmup) / max(1, args.steps - args.warmup)
    return args.min_lr + 0.5 * (args.lr - args.min_lr) * (1 + math.cos(math.pi * p))


@torch.no_grad()
def val_loss(model, corpus, block):
    model.eval()
    x, y = corpus.val_blocks(block)
    total = 0.0
    for xb, yb in zip(x.split(64), y.split(64)):
        total += F.cross_entropy(model(xb).flatten(0, 1), yb.flatten(), reduction="sum").item()
    model.train()
    return total / y.numel()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=800)
    ap.add_argument("--batch", type=int, default=12)
    ap.add_argument("--block", type=int, default=48)
    ap.add_argument("--lr", type=float, default=6e-3)
    ap.add_argument("--min-lr", type=float, default=2e-4)
    ap.add_argument("--warmup", type=int, default=60)
    ap.add_argument("--wd", type=float, default=0.05)
    ap.add_argument("--clip", type=float, default=1.0)
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    corpus = CharCorpus(Path(__file__).with_name("harbour_log.txt"))
    model = TinyGPT(len(corpus.vocab), args.block)
    n = sum(p.numel() for p in model.parameters())
    print(f"{len(corpus.train)} train chars, {len(corpus.val)} val chars, vocab {len(corpus.vocab)}, {n} parameters")

    decay = [p for p in model.parameters() if p.dim() >= 2]
    plain = [p for p in model.parameters() if p.dim() < 2]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": args.wd},
                             {"params": plain, "weight_decay": 0.0}], lr=args.lr, betas=(0.9, 0.98))

    run = 0.0
    for step in range(args.steps):
        for g in opt.param_groups:
            g["lr"] = lr_at(step, args)
        x, y = corpus.sample(args.batch, args.block, gen)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        opt.step()
        run += loss.item()
        if (step + 1) % 50 == 0:
            v = val_loss(model, corpus, args.block)
            print(f"step {step + 1:4d}  train {run / 50:.4f}  val {v:.4f}  ({v / math.log(2):.3f} bits/char)")
            run = 0.0

    model.eval()
    ids = corpus.encode("Friday 13 ")[None]
    print(corpus.decode(model.generate(ids, 240, 0.7, gen)[0]))


if __name__ == "__main__":
    main()
