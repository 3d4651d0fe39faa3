"""Inverse statics and Coriolis torque of a two-joint arm from logged poses."""
import argparse
import configparser

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh, "silu": nn.SiLU, "linear": nn.Identity}


def build(inputs, outputs, section):
    activation = ACTIVATIONS[section["activation"]]
    layers, width = [], inputs
    for size in map(int, section["hidden"].split()):
        layers += [nn.Linear(width, size), activation()]
        width = size
    return nn.Sequential(*layers, nn.Linear(width, outputs))


def evaluate(net, x, y, scale):
    net.eval()
    with torch.no_grad():
        err = (net(x) - y) * scale
    rms = err.square().mean(0).sqrt()
    r2 = 1 - err.square().sum(0) / ((y - y.mean(0)) * scale).square().sum(0)
    return rms.tolist(), r2.tolist()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", nargs="?", default="arm.ini")
    args = parser.parse_args()
    cfg = configparser.ConfigParser()
    cfg.read(args.config)
    torch.manual_seed(cfg.getint("run", "seed"))

    log = np.loadtxt(cfg["data"]["log"], delimiter=",", skiprows=1, dtype=np.float32)
    log = torch.tensor(log)[torch.randperm(len(log), generator=torch.Generator().manual_seed(1))]
    n_test = int(len(log) * cfg.getfloat("data", "test_share"))
    test, train = log[:n_test], log[n_test:]
    mean, std = train.mean(0), train.std(0)
    x, y = ((train - mean) / std).split([5, 2], dim=1)
    x_test, y_test = ((test - mean) / std).split([5, 2], dim=1)

    net = build(5, 2, cfg["network"])
    epochs = cfg.getint("run", "epochs")
    loader = DataLoader(TensorDataset(x, y), batch_size=cfg.getint("run", "batch_size"), shuffle=True)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.getfloat("run", "lr"),
                            weight_decay=cfg.getfloat("run", "weight_decay"))
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.getfloat("run", "lr"),
                                                epochs=epochs, steps_per_epoch=len(loader))
    loss_fn = nn.MSELoss()

    for epoch in range(1, epochs + 1):
        net.train()
        total = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = loss_fn(net(xb), yb)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(xb)
        if epoch % 5 == 0 or epoch == 1:
            rms, r2 = evaluate(net, x_test, y_test, std[5:])
            print(f"epoch {epoch:3d}  train mse {total / len(x):.4f}  "
                  f"test rms {rms[0]:.2f} / {rms[1]:.2f} Nm  R2 {r2[0]:.3f} / {r2[1]:.3f}")


if __name__ == "__main__":
    main()
