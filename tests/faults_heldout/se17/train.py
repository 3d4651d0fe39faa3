import argparse
import math
from pathlib import Path

import torch
import torch.nn.functional as F

from tunelm.model import TuneLM
from tunelm.tokens import PAD, Tunes


def token_loss(model, ids, pad, reduction, smoothing=0.0):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(ids[:, :-1])
    return F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten(), ignore_index=pad,
                           reduction=reduction, label_smoothing=smoothing)


@torch.no_grad()
def perplexity(model, data, pad):
    model.eval()
    total = sum(token_loss(model, chunk, pad, "sum").item() for chunk in data.split(100))
    return math.exp(total / (data[:, 1:] != pad).sum().item())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--smoothing", type=float, default=0.05)
    args = ap.parse_args()
    torch.manual_seed(15)

    tunes = Tunes(Path(__file__).parent / "tunes.txt", val_count=300, seed=15)
    pad = tunes.index[PAD]
    model = TuneLM(len(tunes.vocab), tunes.longest)
    print(f"{len(tunes.train)} tunes, vocabulary {len(tunes.vocab)}, {sum(p.numel() for p in model.parameters())} weights")

    decay = [p for p in model.parameters() if p.ndim > 1]
    rest = [p for p in model.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.05}, {"params": rest, "weight_decay": 0.0}],
                            lr=args.lr, betas=(0.9, 0.98))
    steps = args.epochs * math.ceil(len(tunes.train) / args.batch)
    warmup = 50
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: (s + 1) / warmup if s < warmup else 0.5 * (1 + math.cos(math.pi * (s - warmup) / (steps - warmup))))

    for epoch in range(args.epochs):
        model.train()
        running, batches = 0.0, 0
        for idx in torch.randperm(len(tunes.train)).split(args.batch):
            loss = token_loss(model, tunes.train[idx], pad, "mean", args.smoothing)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            running, batches = running + loss.item(), batches + 1
        print(f"epoch {epoch + 1}: smoothed train loss {running / batches:.4f}, val ppl {perplexity(model, tunes.val, pad):.3f}")


if __name__ == "__main__":
    main()
