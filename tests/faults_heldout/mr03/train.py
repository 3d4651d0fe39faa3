import json
import math
from pathlib import Path

import torch

from corpus import all_blocks, build, sample_blocks
from model import CharLM
from objective import smoothed_nll


def lr_at(step, cfg):
    if step < cfg["warmup"]:
        return (step + 1) / cfg["warmup"]
    t = (step - cfg["warmup"]) / (cfg["steps"] - cfg["warmup"])
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * t))


@torch.no_grad()
def evaluate(model, x, y, eps):
    model.eval()
    logits = model(x)
    acc = (logits.argmax(-1) == y).float().mean().item()
    loss = smoothed_nll(logits, y, eps).item()
    nll = smoothed_nll(logits, y, 0.0).item()
    model.train()
    return loss, nll, acc


def main():
    cfg = json.loads((Path(__file__).parent / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    train_ids, val_ids, chars = build(3000, 120, cfg["seed"])
    gen = torch.Generator().manual_seed(cfg["seed"])
    xv, yv = all_blocks(val_ids, cfg["block"])
    model = CharLM(len(chars), cfg["block"], cfg["dim"], cfg["heads"], cfg["layers"], cfg["dropout"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], betas=(0.9, 0.98), weight_decay=0.01)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: lr_at(s, cfg))
    print(f"{len(chars)} symbols, {sum(p.numel() for p in model.parameters())} weights")
    for step in range(1, cfg["steps"] + 1):
        x, y = sample_blocks(train_ids, cfg["batch_size"], cfg["block"], gen)
        loss = smoothed_nll(model(x), y, cfg["smoothing"])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 40 == 0 or step == 1:
            vl, nll, acc = evaluate(model, xv, yv, cfg["smoothing"])
            print(f"step {step:4d}  loss {loss.item():.3f}  val loss {vl:.3f}  val nll {nll:.3f}  next-char acc {acc:.3f}")


if __name__ == "__main__":
    main()
