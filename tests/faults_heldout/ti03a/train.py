import argparse
import tomllib

import torch
from torch import nn

from data import N_CODES, till_log


class TillModel(nn.Module):
    def __init__(self, emb, hidden):
        super().__init__()
        self.embed = nn.Embedding(N_CODES, emb)
        self.encoder = nn.GRU(emb, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        _, h = self.encoder(self.embed(x))
        return self.head(h[-1]).squeeze(1)


def set_trainable(model, prefixes):
    for name, p in model.named_parameters():
        p.requires_grad_(any(name.startswith(q) for q in prefixes))


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="settings.toml")
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args(argv)
    with open(args.config, "rb") as f:
        cfg = tomllib.load(f)

    g = torch.Generator().manual_seed(cfg["data"]["seed"])
    xtr, ytr = till_log(cfg["data"]["train"], cfg["data"]["length"], g)
    xte, yte = till_log(cfg["data"]["test"], cfg["data"]["length"], g)

    torch.manual_seed(args.seed)
    model = TillModel(cfg["model"]["embedding"], cfg["model"]["hidden"])
    set_trainable(model, cfg["train"]["trainable"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["train"]["lr"])
    crit = nn.BCEWithLogitsLoss()
    bs = cfg["train"]["batch"]

    for epoch in range(cfg["train"]["epochs"]):
        model.train()
        order = torch.randperm(len(xtr))
        running = 0.0
        for b in order.split(bs):
            loss = crit(model(xtr[b]), ytr[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(b)
        model.eval()
        with torch.no_grad():
            logits = model(xte)
            acc = ((logits > 0).float() == yte).float().mean().item()
            tl = crit(logits, yte).item()
        print(f"{epoch + 1:3d} train={running / len(xtr):.4f} test={tl:.4f} acc={acc:.3f}")
    print(f"test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
