import os

import numpy as np
import torch
from torch.utils.data import DataLoader

from forecast.model import LoadForecaster
from forecast.windows import INPUTS, Windows, read_table

os.chdir(os.path.dirname(os.path.abspath(__file__)))
SETTINGS = dict(length=24, batch=64, epochs=12, lr=4e-3, train_days=56, seed=9)


def build(settings):
    x, y = read_table("meter.csv")
    cut = settings["train_days"] * 24
    mu, sd = x[:cut].mean(0), x[:cut].std(0)
    y_mu, y_sd = float(y[:cut].mean()), float(y[:cut].std())
    x = (x - mu) / sd
    y = (y - y_mu) / y_sd
    train = Windows(x[:cut], y[:cut], settings["length"])
    valid = Windows(x[cut:], y[cut:], settings["length"])
    return train, valid, y_sd


def run(settings):
    torch.manual_seed(settings["seed"])
    np.random.seed(settings["seed"])
    train, valid, kw = build(settings)
    loader = DataLoader(train, settings["batch"], shuffle=True, drop_last=True)
    model = LoadForecaster(len(INPUTS))
    optim = torch.optim.Adam(model.parameters(), lr=settings["lr"])
    decay = torch.optim.lr_scheduler.ExponentialLR(optim, 0.85)
    criterion = torch.nn.SmoothL1Loss()
    history = []
    for epoch in range(settings["epochs"]):
        model.train()
        losses = []
        for xb, yb in loader:
            optim.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optim.step()
            losses.append(loss.item())
        decay.step()

        model.eval()
        err = []
        with torch.no_grad():
            for xb, yb in DataLoader(valid, 256):
                err.append((model(xb) - yb).abs())
        mae = torch.cat(err).mean().item() * kw
        history.append(mae)
        print("epoch=%d train_loss=%.4f val_mae_kw=%.3f" % (epoch, np.mean(losses), mae))
    print("best val_mae_kw=%.3f" % min(history))
    return model


if __name__ == "__main__":
    run(SETTINGS)
