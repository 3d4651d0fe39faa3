"""Change of the river level over the next hours, from the recent gauge and rain readings."""
import configparser

import numpy as np
import torch
from torch.nn.functional import mse_loss

from nets import mlp

ini = configparser.ConfigParser()
ini.read("forecast.ini")


def windows(table, lags, horizon):
    xs, ys = [], []
    for t in range(lags, len(table) - horizon):
        past = table[t - lags:t].copy()
        past[:, 0] -= past[-1, 0]
        xs.append(np.append(past.ravel(), table[t - 1, 0]))
        ys.append(table[t + horizon - 1, 0] - table[t - 1, 0])
    return torch.tensor(np.array(xs), dtype=torch.float32), torch.tensor(np.array(ys), dtype=torch.float32)


def main():
    torch.manual_seed(ini.getint("fit", "seed"))
    table = np.loadtxt(ini["series"]["file"], delimiter=",", skiprows=1)
    lags, horizon = ini.getint("series", "lags"), ini.getint("series", "horizon")
    x, y = windows(table, lags, horizon)
    cut = int(0.8 * len(y))
    x_tr, y_tr, x_te, y_te = x[:cut - horizon], y[:cut - horizon], x[cut:], y[cut:]
    mx, sx, my, sy = x_tr.mean(0), x_tr.std(0).clamp_min(1e-6), y_tr.mean(), y_tr.std()
    x_tr, x_te, y_tr, y_te = (x_tr - mx) / sx, (x_te - mx) / sx, (y_tr - my) / sy, (y_te - my) / sy

    hidden = [int(h) for h in ini["net"]["hidden"].split()]
    net = mlp([x.shape[1], *hidden, 1], ini["net"]["activation"])
    opt = torch.optim.Adam(net.parameters(), lr=ini.getfloat("fit", "lr"))
    batch = ini.getint("fit", "batch")
    for epoch in range(ini.getint("fit", "epochs")):
        net.train()
        acc = 0.0
        for idx in torch.randperm(len(y_tr)).split(batch):
            opt.zero_grad()
            loss = mse_loss(net(x_tr[idx]).squeeze(-1), y_tr[idx])
            loss.backward()
            opt.step()
            acc += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            pred = net(x_te).squeeze(-1)
        nse = 1 - mse_loss(pred, y_te) / y_te.var()
        print(f"epoch {epoch + 1:2d}: mse {acc / len(y_tr):.4f}  test mse {mse_loss(pred, y_te):.4f}  NSE {nse:.3f}")


if __name__ == "__main__":
    main()
