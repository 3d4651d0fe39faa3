from pathlib import Path

import torch
import torch.nn.functional as F
import yaml
from torch.utils.data import DataLoader, TensorDataset

from bridge import simulate
from surrogate import DeflectionNet


def r2_score(pred, target):
    return (1 - ((pred - target) ** 2).sum() / ((target - target.mean(0)) ** 2).sum()).item()


def main():
    cfg = yaml.safe_load((Path(__file__).parent / "config.yaml").read_text())
    torch.manual_seed(cfg["seed"])
    d, m, t = cfg["data"], cfg["model"], cfg["train"]
    x, y = simulate(d["train"], d["sensors"], seed=cfg["seed"])
    xt, yt = simulate(d["test"], d["sensors"], seed=cfg["seed"] + 1)
    print(f"mean deflection {1e3 * y.mean():.2f} mm, std {1e3 * y.std():.2f} mm")

    model = DeflectionNet(x.shape[1], d["sensors"], m["hidden"], m["layers"], y.mean(0), y.std(0))
    optimizer = torch.optim.Adam(model.parameters(), lr=t["lr"], eps=1e-12)
    loader = DataLoader(TensorDataset(x, y), batch_size=t["batch_size"], shuffle=True, drop_last=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, t["epochs"])
    half = t["precision"] == "fp16"
    scaler = torch.amp.GradScaler("cpu", enabled=t["grad_scaler"])

    for epoch in range(1, t["epochs"] + 1):
        model.train()
        mse = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16, enabled=half):
                loss = F.mse_loss(model(xb), yb)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            mse += loss.item() / len(loader)
        scheduler.step()

        model.eval()
        with torch.no_grad():
            pred = model(xt)
        print(f"epoch {epoch:2d}  train rmse {1e3 * mse ** 0.5:.4f} mm  test rmse "
              f"{1e3 * F.mse_loss(pred, yt).sqrt():.4f} mm  r2 {r2_score(pred, yt):.4f}", flush=True)


if __name__ == "__main__":
    main()
