from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

from encoder import Verifier, load_pretrained


@dataclass
class Config:
    pairs: str = "pairs.npz"
    weights: str = "glyphs.pt"
    lr_encoder: float = 5e-5
    lr_head: float = 1e-2
    weight_decay: float = 1e-2
    batch: int = 8
    epochs: int = 24
    seed: int = 6


def tensors(z, part):
    x = torch.from_numpy(z[f"{part}_crops"]).float().div(16).unsqueeze(2)
    return x, torch.from_numpy(z[f"{part}_same"]).float()


def evaluate(model, x, y):
    model.eval()
    with torch.inference_mode():
        out = model(x)
        return F.binary_cross_entropy_with_logits(out, y).item(), ((out > 0) == (y > 0.5)).float().mean().item()


def fit(cfg):
    torch.manual_seed(cfg.seed)
    z = np.load(cfg.pairs)
    x, y = tensors(z, "train")
    xv, yv = tensors(z, "valid")

    model = Verifier()
    epoch = load_pretrained(model, cfg.weights)
    print(f"starting from {cfg.weights} (epoch {epoch}), {len(x)} pairs")
    opt = torch.optim.AdamW(
        [
            {"params": model.encoder.parameters(), "lr": cfg.lr_encoder},
            {"params": model.compare.parameters(), "lr": cfg.lr_head, "weight_decay": 0.0},
        ],
        weight_decay=cfg.weight_decay,
    )
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)
    for ep in range(1, cfg.epochs + 1):
        model.train()
        seen = 0.0
        for idx in torch.randperm(len(x)).split(cfg.batch):
            loss = F.binary_cross_entropy_with_logits(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen += loss.item() * len(idx)
        sched.step()
        if ep % 3 == 0:
            vl, va = evaluate(model, xv, yv)
            print(f"{ep:3d} train {seen / len(x):.3f} valid {vl:.3f} accuracy {va:.3f}")


if __name__ == "__main__":
    fit(Config())
