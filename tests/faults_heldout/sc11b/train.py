import tomllib
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from forecast.callbacks import EarlyStopping
from forecast.tcn import LoadTCN
from forecast.windows import build

HERE = Path(__file__).resolve().parent


@torch.no_grad()
def evaluate(model, loader, load_std):
    model.eval()
    pred, true = [], []
    for past, known, target in loader:
        pred.append(model(past, known))
        true.append(target)
    pred, true = torch.cat(pred), torch.cat(true)
    mse = F.mse_loss(pred, true).item()
    return {
        "valid_mse": mse,
        "valid_r2": 1 - mse / true.var(unbiased=False).item(),
        "valid_mae_mw": (pred - true).abs().mean().item() * load_std,
    }


def fit(cfg):
    w, t = cfg["window"], cfg["train"]
    torch.manual_seed(cfg["seed"])
    train_set, valid_set, load_std = build(HERE / cfg["csv"], w["history"], w["horizon"], w["valid_days"])
    train = DataLoader(train_set, t["batch_size"], shuffle=True)
    valid = DataLoader(valid_set, 256)
    model = LoadTCN(6, 5 * w["horizon"], w["horizon"], **cfg["model"])
    optimizer = torch.optim.Adam(model.parameters(), lr=t["lr"])
    stopper = EarlyStopping(**cfg["early_stopping"])

    for epoch in range(1, t["epochs"] + 1):
        model.train()
        total = 0.0
        for past, known, target in train:
            optimizer.zero_grad()
            loss = F.mse_loss(model(past, known), target)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(target)
        metrics = evaluate(model, valid, load_std)
        shown = ", ".join(f"{k}={v:.4f}" for k, v in metrics.items())
        print(f"epoch {epoch}: train_mse={total / len(train_set):.4f}, {shown}")
        if stopper.update(epoch, metrics, model):
            print(f"stopping after epoch {epoch}, keeping weights of epoch {stopper.best_epoch}")
            break

    stopper.restore(model)
    final = evaluate(model, valid, load_std)
    print("final model:", {k: round(v, 4) for k, v in final.items()})
    return model


if __name__ == "__main__":
    with open(HERE / "config.toml", "rb") as fh:
        fit(tomllib.load(fh))
