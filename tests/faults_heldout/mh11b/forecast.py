"""Short-term demand forecast with a causal convolution network and averaged weights."""
import sys
import tomllib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalConv(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(channels, 2 * channels, 3, dilation=dilation)
        self.mix = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        a, b = self.conv(F.pad(x, (self.pad, 0))).chunk(2, dim=1)
        return x + self.mix(torch.tanh(a) * torch.sigmoid(b))


class Forecaster(nn.Module):
    def __init__(self, channels, dilations, n_in, horizon):
        super().__init__()
        self.inp = nn.Conv1d(n_in, channels, 1)
        self.blocks = nn.ModuleList(CausalConv(channels, d) for d in dilations)
        self.out = nn.Linear(channels, horizon)

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = block(h)
        return self.out(F.relu(h[:, :, -1]))


class WeightAverage:
    """Exponential average of the weights, started from the current ones."""

    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model):
        for k, v in model.state_dict().items():
            self.shadow[k].lerp_(v, 1.0 - self.decay)


def build_windows(series, hour, history, horizon, start, stop):
    xs, ys = [], []
    for t in range(start, stop - horizon + 1):
        w = slice(t - history, t)
        xs.append(np.stack([series[w], np.sin(hour[w] * np.pi / 12), np.cos(hour[w] * np.pi / 12)]))
        ys.append(series[t:t + horizon])
    return torch.tensor(np.array(xs), dtype=torch.float32), torch.tensor(np.array(ys), dtype=torch.float32)


@torch.no_grad()
def mae(model, x, y, scale):
    model.eval()
    return (model(x) - y).abs().mean().item() * scale


def main():
    with open(sys.argv[1] if len(sys.argv) > 1 else "config.toml", "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(40)
    d, o, a = cfg["data"], cfg["optim"], cfg["average"]

    z = np.load(d["file"])
    load, hour = z["load"].astype(np.float32), z["hour"].astype(np.float32)
    cut = len(load) - 24 * d["val_days"]
    mean, scale = load[:cut].mean(), float(load[:cut].std())
    series = (load - mean) / scale
    x_tr, y_tr = build_windows(series, hour, d["history"], d["horizon"], d["history"], cut)
    x_va, y_va = build_windows(series, hour, d["history"], d["horizon"], cut, len(series))

    model = Forecaster(n_in=3, horizon=d["horizon"], **cfg["model"])
    averaged = Forecaster(n_in=3, horizon=d["horizon"], **cfg["model"])
    average = WeightAverage(model, a["decay"])
    opt = torch.optim.Adam(model.parameters(), lr=o["lr"])
    naive = (x_va[:, 0, -24:-24 + d["horizon"]] - y_va).abs().mean().item() * scale
    print(f"{len(x_tr)} windows, same-hour-yesterday MAE {naive:.1f}")

    best = float("inf")
    for epoch in range(1, o["epochs"] + 1):
        model.train()
        total, batches = 0.0, torch.randperm(len(x_tr)).split(o["batch_size"])
        for idx in batches:
            loss = F.l1_loss(model(x_tr[idx]), y_tr[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), o["clip"])
            opt.step()
            if a["update"] == "step":
                average.update(model)
            total += loss.item()
        if a["update"] == "epoch":
            average.update(model)
        averaged.load_state_dict(average.shadow)
        val = mae(averaged, x_va, y_va, scale)
        best = min(best, val)
        print(f"epoch {epoch:2d}  train L1 {total / len(batches):.4f}  val MAE {val:.2f} MW")
    print(f"best val MAE {best:.2f} MW")


if __name__ == "__main__":
    main()
