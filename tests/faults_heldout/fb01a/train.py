"""Train the recipe-card character model. Settings live in config.toml."""
import math
import tomllib
from pathlib import Path

import torch
import torch.nn.functional as F

from corpus import CharCorpus
from net import CharGRU

ROOT = Path(__file__).resolve().parent


def build_optimizer(model, cfg):
    decay = [p for p in model.parameters() if p.dim() >= 2]
    plain = [p for p in model.parameters() if p.dim() < 2]
    groups = [
        {"params": decay, "weight_decay": cfg["weight_decay"]},
        {"params": plain, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=cfg["lr"], betas=tuple(cfg["betas"]), eps=cfg["eps"])


@torch.no_grad()
def validate(model, x, y):
    model.eval()
    total, hits = 0.0, 0
    for xb, yb in zip(x.split(64), y.split(64)):
        logits, _ = model(xb)
        total += F.cross_entropy(logits.flatten(0, 1), yb.flatten(), reduction="sum").item()
        hits += (logits.argmax(-1) == yb).sum().item()
    model.train()
    return total / y.numel(), hits / y.numel()


@torch.no_grad()
def generate(model, corpus, prompt, length, generator):
    model.eval()
    ids = torch.tensor([[corpus.stoi[c] for c in prompt]])
    out, state = ids[0].tolist(), None
    for _ in range(length):
        logits, state = model(ids, state)
        nxt = torch.multinomial(logits[:, -1].softmax(-1), 1, generator=generator)
        out.append(nxt.item())
        ids = nxt
    return corpus.decode(out)


def main():
    cfg = tomllib.loads((ROOT / "config.toml").read_text())
    torch.manual_seed(cfg["train"]["seed"])
    gen = torch.Generator().manual_seed(cfg["train"]["seed"])

    corpus = CharCorpus(ROOT / cfg["data"]["corpus"], cfg["data"]["val_fraction"])
    context = cfg["data"]["context"]
    vx, vy = corpus.val_windows(context)
    model = CharGRU(len(corpus), **cfg["model"])
    opt = build_optimizer(model, cfg["optim"])
    n_par = sum(p.numel() for p in model.parameters())
    print(f"vocab {len(corpus)} | {len(corpus.train)} train chars | {n_par} parameters")

    running = 0.0
    for step in range(1, cfg["train"]["steps"] + 1):
        x, y = corpus.sample_batch(cfg["train"]["batch_size"], context, gen)
        logits, _ = model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        running += loss.item()
        if step % cfg["train"]["log_every"] == 0:
            vl, va = validate(model, vx, vy)
            avg = running / cfg["train"]["log_every"]
            print(f"step {step:4d} | train {avg:.3f} | val {vl:.3f} (ppl {math.exp(vl):.2f}) | next-char acc {va:.3f}")
            running = 0.0
    print(repr(generate(model, corpus, "stir ", 120, gen)))


if __name__ == "__main__":
    main()
