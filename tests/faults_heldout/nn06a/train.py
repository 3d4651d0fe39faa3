"""Character language model on maintenance log sentences. Settings in config.json."""
import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F

from corpus import Corpus
from lm import CharLM

ROOT = Path(__file__).resolve().parent


def lr_factor(step, warmup, total, floor=0.1):
    if step < warmup:
        return (step + 1) / warmup
    p = (step - warmup) / max(1, total - warmup)
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(1.0, p)))


@torch.no_grad()
def val_loss(model, corpus, bs):
    gen = torch.Generator().manual_seed(99)
    model.eval()
    out = []
    for _ in range(6):
        x, y = corpus.batch("val", bs, gen)
        out.append(F.cross_entropy(model(x).flatten(0, 1), y.flatten()).item())
    model.train()
    return sum(out) / len(out)


def main():
    cfg = json.loads((ROOT / "config.json").read_text())
    opt_cfg, run = cfg["optimizer"], cfg["run"]
    torch.manual_seed(run["seed"])
    torch.set_num_threads(1)
    corpus = Corpus(ROOT / "data" / "logs.txt", cfg["model"]["context"])
    model = CharLM(len(corpus.chars), cfg["model"]["context"], cfg["model"]["width"], cfg["model"]["depth"])
    opt = torch.optim.AdamW(model.parameters(), lr=opt_cfg["lr"], betas=tuple(opt_cfg["betas"]), weight_decay=opt_cfg["weight_decay"])
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: lr_factor(s, opt_cfg["warmup_steps"], run["steps"]))
    gen = torch.Generator().manual_seed(run["seed"])
    print(f"{len(corpus.chars)} characters, {sum(p.numel() for p in model.parameters())} parameters")
    avg = None
    for step in range(run["steps"]):
        x, y = corpus.batch("train", run["batch_size"], gen)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), opt_cfg["clip"])
        opt.step()
        sched.step()
        avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
        if (step + 1) % 50 == 0:
            print(f"step {step + 1} loss {avg:.3f} val {val_loss(model, corpus, run['batch_size']):.3f}")


if __name__ == "__main__":
    main()
