import tomllib
from contextlib import nullcontext
from pathlib import Path

import torch
import torch.nn.functional as F

from charlm.text import CharCorpus
from charlm.transformer import CharTransformer

ROOT = Path(__file__).resolve().parent


def autocast(precision):
    return torch.autocast("cpu", dtype=torch.bfloat16) if precision == "bf16" else nullcontext()


@torch.no_grad()
def validate(model, corpus, precision):
    model.eval()
    nll = hits = n = 0
    for x, y in corpus.val_batches():
        with autocast(precision):
            logits = model(x)
        logits = logits.float()
        nll += F.cross_entropy(logits.flatten(0, 1), y.flatten(), reduction="sum").item()
        hits += (logits.argmax(-1) == y).sum().item()
        n += y.numel()
    return nll / n, hits / n


def main():
    cfg = tomllib.loads((ROOT / "config.toml").read_text())
    run, o = cfg["run"], cfg["optim"]
    torch.manual_seed(run["seed"])
    d = cfg["data"]
    corpus = CharCorpus(ROOT / d["file"], d["context"], d["batch_size"], run["seed"])
    model = CharTransformer(len(corpus.chars), d["context"], **cfg["model"])
    decay = [p for p in model.parameters() if p.ndim >= 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": o["weight_decay"]}, {"params": rest, "weight_decay": 0.0}],
        lr=o["max_lr"], betas=(0.9, 0.95),
    )
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, o["max_lr"], total_steps=run["steps"], pct_start=0.25)

    running = 0.0
    for step in range(1, run["steps"] + 1):
        model.train()
        x, y = corpus.batch()
        with autocast(o["precision"]):
            logits = model(x)
        loss = F.cross_entropy(logits.float().flatten(0, 1), y.flatten(), label_smoothing=o["label_smoothing"])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), o["clip"])
        optimizer.step()
        scheduler.step()
        running += loss.item()
        if step % run["eval_every"] == 0:
            nll, acc = validate(model, corpus, o["precision"])
            print(f"step {step:4d}  train {running / run['eval_every']:.4f}  val nll {nll:.4f}  next-char acc {acc:.4f}", flush=True)
            running = 0.0


if __name__ == "__main__":
    main()
