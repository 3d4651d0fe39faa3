import tomllib
from pathlib import Path

import torch
from torch.nn.functional import mse_loss

from measurements import Standardiser, load_year
from regressor import Regressor

ROOT = Path(__file__).resolve().parent


def main():
    cfg = tomllib.loads((ROOT / "config.toml").read_text())
    torch.manual_seed(cfg["seed"])
    data, optim = cfg["data"], cfg["optim"]

    x_train, y_train = load_year(ROOT / data["folder"], data["train"], data["inputs"], data["target"])
    x_val, y_val = load_year(ROOT / data["folder"], data["validation"], data["inputs"], data["target"])
    scale_x, scale_y = Standardiser.fit(x_train), Standardiser.fit(y_train)
    x_train, x_val = scale_x(x_train), scale_x(x_val)
    t_train, t_val = scale_y(y_train), scale_y(y_val)

    model = Regressor(x_train.shape[1], cfg["model"]["hidden"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=optim["lr"], weight_decay=optim["weight_decay"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, optim["epochs"])

    for epoch in range(1, optim["epochs"] + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x_train)).split(optim["batch"]):
            loss = mse_loss(model(x_train[idx]), t_train[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        scheduler.step()

        model.eval()
        with torch.no_grad():
            out = model(x_val)
            val = mse_loss(out, t_val).item()
        if epoch % 5 == 0:
            print(f"epoch {epoch:3d}  {data['train']}: {total / len(x_train):.4f}  {data['validation']}: {val:.4f}")

    error = scale_y.inverse(out) - y_val
    r2 = 1 - error.square().sum() / (y_val - y_val.mean()).square().sum()
    print(f"ozone {data['validation']}: RMSE {error.square().mean().sqrt():.2f} ppb, bias {error.mean():+.2f} ppb, R2 {r2:.3f}")


if __name__ == "__main__":
    main()
