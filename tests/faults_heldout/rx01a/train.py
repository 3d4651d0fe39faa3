import argparse
import math
import tomllib

import torch
import torch.nn.functional as F

from lm.gpt import CharGPT
from lm.text import load_corpus, sample_blocks, sequential_blocks


@torch.no_grad()
def bits_per_char(model, ids, block):
    model.eval()
    nll, n = 0.0, 0
    for x, y in sequential_blocks(ids, block, 64):
        logits = model(x)
        nll += F.cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
        n += y.numel()
    model.train()
    return nll / n / math.log(2)


def param_groups(model, wd):
    decay = [p for p in model.parameters() if p.dim() >= 2]
    rest = [p for p in model.parameters() if p.dim() < 2]
    return [{"params": decay, "weight_decay": wd}, {"params": rest, "weight_decay": 0.0}]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.toml")
    args = ap.parse_args()
    with open(args.config, "rb") as fh:
        cfg = tomllib.load(fh)

    torch.manual_seed(cfg["run"]["seed"])
    gen = torch.Generator().manual_seed(cfg["run"]["seed"] + 1)
    m, o = cfg["model"], cfg["optim"]
    vocab, train_ids, held_ids = load_corpus(cfg["data"]["path"], cfg["data"]["holdout"])
    model = CharGPT(len(vocab), m["dim"], m["heads"], m["depth"], m["block"])
    opt = torch.optim.AdamW(param_groups(model, o["weight_decay"]), lr=o["lr"], betas=(0.9, 0.95))

    steps, warm = o["steps"], o["warmup"]

    def factor(step):
        if step < warm:
            return (step + 1) / warm
        return 0.1 + 0.45 * (1 + math.cos(math.pi * (step - warm) / (steps - warm)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    print(f"chars={len(train_ids)} vocab={len(vocab)} params={sum(p.numel() for p in model.parameters())}")
    for step in range(steps):
        x, y = sample_blocks(train_ids, m["block"], o["batch"], gen)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 60 == 0:
            print(f"step {step:4d}  loss {loss.item():.3f}")
        if (step + 1) % 350 == 0:
            print(f"step {step + 1:4d}  held-out bpc {bits_per_char(model, held_ids, m['block']):.3f}")


if __name__ == "__main__":
    main()
