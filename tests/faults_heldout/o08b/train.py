import tomllib

import torch
import torch.nn as nn
import torch.nn.functional as F

from prices.callbacks import EarlyStopping
from prices.table import load_flats

ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "tanh": nn.Tanh}


def mlp(n_in, widths, activation):
    layers = []
    for w in widths:
        layers += [nn.Linear(n_in, w), ACTIVATIONS[activation]()]
        n_in = w
    layers.append(nn.Linear(n_in, 1))
    return nn.Sequential(*layers)


@torch.no_grad()
def measure(model, x, y, scale):
    """mse in standardised log prices; share of the price that we are off; r2"""
    model.eval()
    p = model(x)[:, 0]
    mse = F.mse_loss(p, y).item()
    ymu, ysd = scale
    off = (torch.exp(p * ysd + ymu) / torch.exp(y * ysd + ymu) - 1).abs().mean().item()
    r2 = 1 - mse / y.var(unbiased=False).item()
    return {"val_loss": mse, "val_off": off, "val_r2": r2}


def main():
    with open("train.toml", "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(cfg["seed"])
    ((xt, yt), val, test), scale = load_flats(cfg["data"]["csv"], cfg["data"]["target"], cfg["seed"])
    model = mlp(xt.shape[1], cfg["model"]["widths"], cfg["model"]["activation"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["optim"]["lr"])
    stopper = EarlyStopping(**cfg["early_stopping"])

    for epoch in range(1, cfg["optim"]["max_epochs"] + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(xt)).split(cfg["optim"]["batch_size"]):
            loss = F.mse_loss(model(xt[idx])[:, 0], yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        logs = measure(model, *val, scale)
        print(f"epoch {epoch:3d} loss {total / len(xt):.4f} " + " ".join(f"{k} {v:.4f}" for k, v in logs.items()))
        if stopper.update(epoch, logs, model):
            print("stopping early")
            break

    stopper.restore(model)
    final = measure(model, *test, scale)
    print(f"weights of epoch {stopper.best_epoch}: test r2 {final['val_r2']:.3f}, off by {100 * final['val_off']:.1f} % on average")


if __name__ == "__main__":
    main()
