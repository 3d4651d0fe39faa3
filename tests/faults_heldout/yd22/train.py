from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from adapters import adapt

HERE = Path(__file__).resolve().parent


def read_config(path):
    out = {}
    for line in path.read_text().splitlines():
        key, value = (s.strip() for s in line.split(":", 1))
        try:
            out[key] = float(value) if "." in value and value.replace(".", "").isdigit() else int(value)
        except ValueError:
            out[key] = value
    return out


def build():
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 192), nn.GELU(), nn.Linear(192, 192), nn.GELU(), nn.Linear(192, 10))


def second_scanner():
    """Same digits, but from the second scanner: turned by 90 degrees, inverted contrast."""
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32)
    return 1.0 - torch.rot90(x, 1, (1, 2)), torch.tensor(d.target)


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    cfg = read_config(HERE / "config.yaml")
    torch.manual_seed(cfg["seed"])
    x, y = second_scanner()
    x = (x - 0.5) / 0.35
    tr, te = train_test_split(torch.arange(len(y)), test_size=0.3, stratify=y, random_state=cfg["seed"])
    model = build()
    model.load_state_dict(torch.load(HERE / cfg["checkpoint"], weights_only=True))
    before = accuracy(model, x[te], y[te])
    params = adapt(model, cfg["rank"], cfg["alpha"])
    total = sum(p.numel() for p in model.parameters())
    print(f"source model on the new scanner {before:.3f}; trainable {sum(p.numel() for p in params)} of {total}")

    opt = torch.optim.AdamW(params, lr=cfg["lr"], weight_decay=0.01)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        running = 0.0
        for b in tr[torch.randperm(len(tr))].split(cfg["batch_size"]):
            loss = F.cross_entropy(model(x[b]), y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(b)
        sched.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch:2d}  loss {running / len(tr):.4f}  accuracy {accuracy(model, x[te], y[te]):.4f}")


if __name__ == "__main__":
    main()
