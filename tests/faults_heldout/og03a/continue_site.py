"""Continue a forecaster on the meter of another substation."""
import argparse

import numpy as np
import torch

from net import LoadForecaster

PAST, AHEAD = 36, 6


def cut(series):
    w = torch.from_numpy(series).unfold(0, PAST + AHEAD, 1)
    return w[:, :PAST].contiguous(), w[:, PAST:].contiguous()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--from-ckpt", default="substation_1.pt")
    ap.add_argument("--series", default="substation_2.npy")
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--epochs", type=int, default=8)
    a = ap.parse_args()
    torch.manual_seed(5)

    s = np.load(a.series).astype(np.float32)
    split = int(len(s) * 0.75)
    mu, sd = s[:split].mean(), s[:split].std()
    s = (s - mu) / sd
    x, y = cut(s[:split])
    xv, yv = cut(s[split:])

    model = LoadForecaster(horizon=AHEAD)
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-3)
    ck = torch.load(a.from_ckpt, weights_only=True)
    model.load_state_dict(ck["model"])
    opt.load_state_dict(ck["optimizer"])
    print(f"resumed {a.from_ckpt} (epoch {ck['epoch']})")

    def validate():
        model.eval()
        with torch.no_grad():
            return (model(xv) - yv).abs().mean().item()

    print(f"before: mae {validate():.4f}")
    for ep in range(a.epochs):
        model.train()
        tot = 0.0
        for idx in torch.randperm(len(x)).split(64):
            loss = torch.nn.functional.smooth_l1_loss(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        print(f"epoch {ep:2d} train {tot / len(x):.4f} mae {validate():.4f}")


if __name__ == "__main__":
    main()
