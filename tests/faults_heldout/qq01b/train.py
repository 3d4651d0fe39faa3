import argparse
import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F

from rowformer import RowFormer, RowFormerConfig, iterate, load_splits

HERE = Path(__file__).resolve().parent


@torch.no_grad()
def evaluate(model, split):
    model.eval()
    loss, hits = 0.0, 0
    for x, y in iterate(split, 256, shuffle=False):
        out = model(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hits += (out.argmax(1) == y).sum().item()
    model.train()
    return loss / len(split[1]), hits / len(split[1])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default=str(HERE / "conf" / "run.json"))
    args = ap.parse_args()
    cfg = json.loads(Path(args.config).read_text())
    torch.manual_seed(cfg["seed"])

    d, o = cfg["data"], cfg["optim"]
    train, val = load_splits(HERE / d["path"], d["val_fraction"], cfg["seed"])
    model = RowFormer(RowFormerConfig(**cfg["model"]))
    print(f"{sum(p.numel() for p in model.parameters())} weights, {len(train[1])} / {len(val[1])} scans")

    opt = torch.optim.AdamW(model.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
    total = o["epochs"] * math.ceil(len(train[1]) / d["batch_size"])

    def factor(step):
        if step < o["warmup_steps"]:
            return (step + 1) / o["warmup_steps"]
        t = (step - o["warmup_steps"]) / max(1, total - o["warmup_steps"])
        return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * t))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    for epoch in range(o["epochs"]):
        running = 0.0
        for x, y in iterate(train, d["batch_size"]):
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), o["clip"])
            opt.step()
            sched.step()
            running += loss.item() * len(y)
        vl, va = evaluate(model, val)
        print(f"epoch {epoch + 1:2d}  train {running / len(train[1]):.4f}  val {vl:.4f}  acc {va:.3f}")


if __name__ == "__main__":
    main()
