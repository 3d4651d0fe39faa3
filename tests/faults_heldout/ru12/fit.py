import tomllib

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from tcn import TCN


def windows(values, start, stop, history, horizon):
    """Samples whose forecast origin lies in [start, stop - horizon]."""
    origins = np.arange(max(start, history), stop - horizon + 1)
    x = np.stack([values[o - history:o] for o in origins])
    y = np.stack([values[o:o + horizon, 0] for o in origins])
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(y))


def main():
    with open("settings.toml", "rb") as fh:
        s = tomllib.load(fh)
    ser, fit = s["series"], s["fit"]
    torch.manual_seed(fit["seed"])
    raw = np.loadtxt(ser["file"], delimiter=",", skiprows=1, dtype=np.float32)
    head = raw[:ser["train_until"]]
    scaled = (raw - head.mean(0)) / head.std(0)
    unit = float(head[:, 0].std())

    args = ser["history"], ser["horizon"]
    train = windows(scaled, 0, ser["train_until"], *args)
    valid = windows(scaled, ser["train_until"], ser["valid_until"], *args)
    test = windows(scaled, ser["valid_until"], len(scaled), *args)
    dl = DataLoader(train, fit["batch"], shuffle=True, drop_last=True)

    net = TCN(raw.shape[1], ser["horizon"], **s["model"])
    opt = torch.optim.Adam(net.parameters(), lr=fit["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, fit["epochs"], eta_min=fit["lr"] * 0.05)
    mse = nn.MSELoss()

    def measure(ds):
        net.eval()
        with torch.no_grad():
            x, y = ds.tensors
            out = net(x)
            return mse(out, y).item(), (out - y).abs().mean().item() * unit

    for epoch in range(fit["epochs"]):
        net.train()
        acc = []
        for x, y in dl:
            loss = mse(net(x), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), fit["clip"])
            opt.step()
            acc.append(loss.item())
        sched.step()
        v, mae = measure(valid)
        print(f"epoch {epoch + 1} train {np.mean(acc):.4f} valid {v:.4f} mae {mae:.3f} MW")

    t, mae = measure(test)
    naive = (test.tensors[0][:, -1:, 0] - test.tensors[1]).abs().mean().item() * unit
    print(f"test mse {t:.4f} mae {mae:.3f} MW (persistence {naive:.3f} MW)")


if __name__ == "__main__":
    main()
