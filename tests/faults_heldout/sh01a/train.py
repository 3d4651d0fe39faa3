import pathlib
import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader

from pend.data import load
from pend.net import Dynamics

HERE = pathlib.Path(__file__).parent


def score(model, loader):
    model.eval()
    se, n = torch.zeros(2), 0
    with torch.no_grad():
        for x, y in loader:
            se += ((model(x) - y) ** 2).sum(0)
            n += len(x)
    mse = se / n
    return mse.mean().item(), (1 - mse).tolist()


def main():
    cfg = tomllib.loads((HERE / "config.toml").read_text())
    t = cfg["train"]
    torch.manual_seed(t["seed"])
    train_set, val_set = load(HERE / cfg["data"]["path"], cfg["data"]["val_fraction"], t["seed"])
    train_loader = DataLoader(train_set, batch_size=t["batch"], shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=256)

    model = Dynamics(7, 2, cfg["model"]["width"], cfg["model"]["blocks"])
    optimizer = torch.optim.Adam(model.parameters(), lr=t["lr"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, t["epochs"] * len(train_loader))
    loss_fn = nn.MSELoss()
    print(f"{len(train_set)} train / {len(val_set)} val, {sum(p.numel() for p in model.parameters())} parameters")

    for epoch in range(1, t["epochs"] + 1):
        model.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item()
        if epoch % 4 == 0 or epoch == 1:
            val, r2 = score(model, val_loader)
            print(f"epoch {epoch:3d}  train {total / len(train_loader):.4f}  val {val:.4f}  "
                  f"R2 {r2[0]:.3f} {r2[1]:.3f}")


if __name__ == "__main__":
    main()
