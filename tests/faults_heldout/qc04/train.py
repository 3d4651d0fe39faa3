import csv
import tomllib

import torch
import torch.nn.functional as F

from model import StateReader, encode


def param_groups(model, weight_decay):
    decay, plain = [], []
    for name, p in model.named_parameters():
        if name.endswith(".bias") or "norm" in name:
            plain.append(p)
        elif name.endswith(".weight"):
            decay.append(p)
    return [{"params": decay, "weight_decay": weight_decay}, {"params": plain, "weight_decay": 0.0}]


def load(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    x = torch.stack([encode(r["events"]) for r in rows])
    y = torch.tensor([int(r["state"]) for r in rows])
    return x, y


def main():
    with open("config.toml", "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(5)
    x, y = load(cfg["data"]["path"])
    perm = torch.randperm(len(y))
    n_val = int(len(y) * cfg["data"]["holdout"])
    va, tr = perm[:n_val], perm[n_val:]
    t = cfg["train"]
    model = StateReader(cfg["model"]["emb"], cfg["model"]["hidden"], int(y.max()) + 1)
    opt = torch.optim.AdamW(param_groups(model, t["weight_decay"]), lr=t["lr"])

    for epoch in range(t["epochs"]):
        model.train()
        losses = []
        for b in tr[torch.randperm(len(tr))].split(t["batch_size"]):
            loss = F.cross_entropy(model(x[b]), y[b])
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), t["clip"])
            opt.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            logits = model(x[va])
            vl = F.cross_entropy(logits, y[va]).item()
            acc = (logits.argmax(1) == y[va]).float().mean().item()
        print(f"{epoch + 1:3d} train {sum(losses) / len(losses):.4f} val {vl:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
