import json
import math
from pathlib import Path
from types import SimpleNamespace

import torch
import torch.nn.functional as F

from data import iterate, make_split
from model import RankTagger


def lr_factor(step, warmup, total):
    if step < warmup:
        return (step + 1) / warmup
    t = (step - warmup) / max(1, total - warmup)
    return 0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * min(1.0, t)))


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    hit = (model(x).argmax(-1) == y).float().mean().item()
    model.train()
    return hit


def main():
    raw = json.loads((Path(__file__).parent / "config.json").read_text())
    cfg = SimpleNamespace(**raw)
    torch.manual_seed(cfg.seed)
    xtr, ytr = make_split(cfg.train_size, cfg.length, cfg.vocab, seed=100)
    xva, yva = make_split(512, cfg.length, cfg.vocab, seed=200)
    model = RankTagger(cfg.vocab, cfg.length, **cfg.model)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr, betas=(0.9, 0.98))
    steps = cfg.epochs * (cfg.train_size // cfg.batch_size)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: lr_factor(s, cfg.warmup_steps, steps))
    gen = torch.Generator().manual_seed(cfg.seed)

    step = 0
    for epoch in range(cfg.epochs):
        for x, y in iterate(xtr, ytr, cfg.batch_size, gen):
            logits = model(x)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            if step % 25 == 0:
                print(f"step {step:4d}  loss {loss.item():.4f}  lr {sched.get_last_lr()[0]:.2e}")
            step += 1
        print(f"== epoch {epoch}  val token accuracy {accuracy(model, xva, yva):.4f}")


if __name__ == "__main__":
    main()
