"""Adapt the base character model to our own manual."""
import json
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from charlm import CONTEXT, CharModel, encode


@dataclass
class Config:
    base: str
    corpus: str
    dtype: str
    lr: float
    weight_decay: float
    batch_size: int
    steps: int
    warmup: int
    eval_every: int
    seed: int


def windows(ids):
    w = ids.unfold(0, CONTEXT + 1, 1)
    return w[:, :-1], w[:, -1]


@torch.no_grad()
def held_out_loss(model, x, y):
    model.eval()
    total = sum(F.cross_entropy(model(a).float(), b, reduction="sum").item() for a, b in zip(x.split(512), y.split(512)))
    model.train()
    return total / len(y)


def main():
    cfg = Config(**json.load(open("finetune.json")))
    torch.manual_seed(cfg.seed)
    text = open(cfg.corpus).read()
    cut = int(len(text) * 0.9)
    x, y = windows(encode(text[:cut]))
    vx, vy = windows(encode(text[cut:]))

    model = CharModel()
    model.load_state_dict(torch.load(cfg.base, weights_only=True))
    model = model.to(getattr(torch, cfg.dtype))
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.9, 0.95), weight_decay=cfg.weight_decay)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) / cfg.warmup, (cfg.steps - s) / (cfg.steps - cfg.warmup), 1.0))

    print(f"step 0 held-out {held_out_loss(model, vx, vy):.4f}")
    window_loss = 0.0
    for step in range(1, cfg.steps + 1):
        pick = torch.randint(len(x), (cfg.batch_size,))
        loss = F.cross_entropy(model(x[pick]).float(), y[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        window_loss += loss.item()
        if step % cfg.eval_every == 0:
            print(f"step {step} train {window_loss / cfg.eval_every:.4f} held-out {held_out_loss(model, vx, vy):.4f}")
            window_loss = 0.0


if __name__ == "__main__":
    main()
