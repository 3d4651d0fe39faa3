"""Gas identification from a six-channel electronic nose."""
import argparse
import json
from pathlib import Path

import pandas as pd
import torch
from torch import nn

HERE = Path(__file__).parent
CHANNELS = ["s1", "s2", "s3", "s4", "s5", "s6"]


def load(path, valid_share, seed):
    df = pd.read_csv(path).sample(frac=1.0, random_state=seed).reset_index(drop=True)
    names = sorted(df["gas"].unique())
    x = torch.tensor(df[CHANNELS].to_numpy(), dtype=torch.float32)
    y = torch.tensor(df["gas"].map({g: i for i, g in enumerate(names)}).to_numpy())
    n_val = int(len(df) * valid_share)
    x_val, y_val, x_tr, y_tr = x[:n_val], y[:n_val], x[n_val:], y[n_val:]
    mean, std = x_tr.mean(0), x_tr.std(0).clamp_min(1e-8)
    return ((x_tr - mean) / std, y_tr), ((x_val - mean) / std, y_val), names


def build(n_in, n_out, hidden):
    return nn.Sequential(
        nn.Linear(n_in, hidden), nn.ReLU(),
        nn.Linear(hidden, hidden), nn.ReLU(),
        nn.Linear(hidden, n_out),
    )


def score(model, x, y, criterion):
    model.eval()
    with torch.no_grad():
        out = model(x)
    return criterion(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=4)
    args = ap.parse_args()
    cfg = json.loads((HERE / "params.json").read_text())
    (xt, yt), (xv, yv), names = load(HERE / cfg["csv"], cfg["valid_share"], cfg["split_seed"])
    print(f"{len(xt)} train / {len(xv)} valid readings, gases: {', '.join(names)}")

    torch.manual_seed(args.seed)
    model = build(len(CHANNELS), len(names), cfg["hidden"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        loss_sum = 0.0
        for batch in torch.randperm(len(xt)).split(cfg["batch_size"]):
            optimizer.zero_grad()
            loss = criterion(model(xt[batch]), yt[batch])
            loss.backward()
            optimizer.step()
            loss_sum += loss.item() * len(batch)
        vl, va = score(model, xv, yv, criterion)
        print(f"epoch {epoch:2d}: train loss {loss_sum / len(xt):.4f}, valid loss {vl:.4f}, valid acc {va:.3f}")
    print(f"accuracy on validation readings: {va:.3f}")


if __name__ == "__main__":
    main()
