import argparse
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def windows(series, context, horizon):
    n = len(series) - context - horizon + 1
    idx = np.arange(context)[None] + np.arange(n)[:, None]
    idy = context + np.arange(horizon)[None] + np.arange(n)[:, None]
    return torch.from_numpy(series[idx]).unsqueeze(-1), torch.from_numpy(series[idy])


class Forecaster(nn.Module):
    def __init__(self, hidden, horizon):
        super().__init__()
        self.rnn = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, horizon)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out[:, -1])


def main(args):
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), args.series)
    s = np.load(path).astype(np.float32)
    split = int(len(s) * 0.8)
    mu, sd = s[:split].mean(), s[:split].std()
    s = (s - mu) / sd
    xt, yt = windows(s[:split], args.context, args.horizon)
    xv, yv = windows(s[split:], args.context, args.horizon)
    naive = F.mse_loss(xv[:, -1].expand_as(yv), yv).item()
    print(f"{len(xt)} windows, persistence mse {naive:.4f}")

    net = Forecaster(args.hidden, args.horizon)
    opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9)
    for epoch in range(args.epochs):
        net.train()
        losses = []
        for idx in torch.randperm(len(xt)).split(args.batch_size):
            loss = F.mse_loss(net(xt[idx]), yt[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), args.max_norm)
            opt.step()
            losses.append(loss.item())
        net.eval()
        with torch.no_grad():
            v = F.mse_loss(net(xv), yv).item()
        print(f"epoch {epoch + 1:2d}  train {np.mean(losses):.4f}  valid {v:.4f}  skill {1 - v / naive:.3f}")
    torch.save(net.state_dict(), path.replace(".npy", "_lstm.pt"))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--series", default="river_level.npy")
    ap.add_argument("--context", type=int, default=24)
    ap.add_argument("--horizon", type=int, default=6)
    ap.add_argument("--hidden", type=int, default=32)
    ap.add_argument("--lr", type=float, default=0.1)
    ap.add_argument("--max-norm", type=float, default=1.0)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--seed", type=int, default=0)
    main(ap.parse_args())
