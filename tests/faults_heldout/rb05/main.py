import argparse
import math

import torch
from torch.nn import functional as F

from harbour.corpus import Corpus
from harbour.decoder import Decoder


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=500)
    p.add_argument("--warmup", type=int, default=50)
    p.add_argument("--batch", type=int, default=12)
    p.add_argument("--context", type=int, default=48)
    p.add_argument("--lr", type=float, default=6e-3)
    p.add_argument("--smooth", type=float, default=0.05)
    return p.parse_args()


def plain_ce(model, corpus, ids, args):
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in corpus.in_order(ids, 64, args.context):
            total += F.cross_entropy(model(x).flatten(0, 1), y.flatten(), reduction="sum").item()
            count += y.numel()
    return total / count


def main():
    args = get_args()
    torch.manual_seed(21)
    corpus = Corpus("harbour_log.txt")
    model = Decoder(len(corpus.chars), args.context)

    decay = [p for p in model.parameters() if p.dim() >= 2]
    plain = [p for p in model.parameters() if p.dim() < 2]
    opt = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.02}, {"params": plain, "weight_decay": 0.0}], lr=args.lr, betas=(0.9, 0.98)
    )

    def factor(step):
        if step < args.warmup:
            return (step + 1) / args.warmup
        done = (step - args.warmup) / max(1, args.steps - args.warmup)
        return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    print(f"{len(corpus.train)} characters, vocabulary {len(corpus.chars)}, uniform ce {math.log(len(corpus.chars)):.3f}")

    avg = 0.0
    for step in range(1, args.steps + 1):
        model.train()
        x, y = corpus.random_batch(args.batch, args.context)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten(), label_smoothing=args.smooth)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        avg += loss.item()
        if step % 100 == 0:
            print(f"step {step:4d}  smoothed train {avg / 100:.4f}  plain held-out {plain_ce(model, corpus, corpus.valid, args):.4f}")
            avg = 0.0

    some = corpus.train[: len(corpus.valid)]
    print(f"plain ce on a piece of the training text {plain_ce(model, corpus, some, args):.4f}")
    print(corpus.decode(model.continue_text(corpus.encode("the ")[None], 160)[0].tolist()))


if __name__ == "__main__":
    main()
