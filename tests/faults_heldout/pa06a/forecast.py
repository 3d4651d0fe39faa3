import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent


class CausalBlock(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(ch, ch, 3, dilation=dilation)
        self.mix = nn.Conv1d(ch, ch, 1)

    def forward(self, x):
        h = torch.relu(self.conv(nn.functional.pad(x, (self.pad, 0))))
        return x + self.mix(h)


class TCN(nn.Module):
    def __init__(self, n_feat, ch=32, dilations=(1, 2, 4, 8)):
        super().__init__()
        self.inp = nn.Conv1d(n_feat, ch, 1)
        self.blocks = nn.Sequential(*[CausalBlock(ch, d) for d in dilations])
        self.head = nn.Linear(ch, 1)

    def forward(self, x):
        h = self.blocks(self.inp(x.transpose(1, 2)))
        return self.head(h[:, :, -1]).squeeze(1)


def load_windows(path):
    z = np.load(path)
    return torch.tensor(z["history"], dtype=torch.float32), torch.tensor(z["load_6h"], dtype=torch.float32)


def mae_mw(model, x, y, y_std):
    model.eval()
    with torch.no_grad():
        return (model(x) - y).abs().mean().item() * y_std


def main(args):
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    x, y = load_windows(HERE / "windows.npz")
    xr, yr = load_windows(HERE / "scada_week.npz")
    cut = int(0.8 * len(x))

    x_mean, x_std = x[:cut].mean((0, 1)), x[:cut].std((0, 1))
    y_mean, y_std = y[:cut].mean(), y[:cut].std()
    x, xr = (x - x_mean) / x_std, (xr - x_mean) / x_std
    y, yr = (y - y_mean) / y_std, (yr - y_mean) / y_std
    y_std = y_std.item()
    gap = x.shape[1]     # keep the validation windows clear of the training period
    x_tr, y_tr, x_va, y_va = x[:cut], y[:cut], x[cut + gap:], y[cut + gap:]
    print("history", tuple(x_tr.shape), "| target std %.1f MW" % y_std)

    model = TCN(x.shape[2])
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.85)
    loss_fn = nn.SmoothL1Loss()
    for epoch in range(args.epochs):
        model.train()
        perm = torch.randperm(cut)
        run = 0.0
        for idx in perm.split(args.batch_size):
            opt.zero_grad()
            loss = loss_fn(model(x_tr[idx]), y_tr[idx])
            loss.backward()
            opt.step()
            run += loss.item() * len(idx)
        sched.step()
        print("epoch %2d  train %.5f  val MAE %.2f MW" % (epoch + 1, run / cut, mae_mw(model, x_va, y_va, y_std)))

    print("control room replay, last week: MAE %.2f MW" % mae_mw(model, xr, yr, y_std))


if __name__ == "__main__":
    p = argparse.ArgumentParser(description="6-hour-ahead load forecast")
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=31)
    main(p.parse_args())
