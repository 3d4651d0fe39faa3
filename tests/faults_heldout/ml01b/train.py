"""Transfer of the bench-top NIR encoder to the handheld device: protein and moisture of flour."""
import tomllib

import torch
from torch import nn
from torch.utils.data import DataLoader

from nir.data import load_splits
from nir.model import build


@torch.no_grad()
def evaluate(model, dataset):
    model.eval()
    x, y = dataset.tensors
    pred = model(x)
    residual = ((pred - y) ** 2).sum(0)
    total = ((y - y.mean(0)) ** 2).sum(0)
    return nn.functional.mse_loss(pred, y).item(), (1 - residual / total).tolist(), (pred - y).pow(2).mean(0).sqrt()


def main():
    with open("config.toml", "rb") as fh:
        cfg = tomllib.load(fh)
    tc = cfg["train"]
    torch.manual_seed(tc["seed"])

    splits = load_splits(cfg["data"])
    model = build(cfg["model"])
    loader = DataLoader(splits.train, batch_size=tc["batch_size"], shuffle=True)
    opt = torch.optim.AdamW(model.parameters(), lr=tc["lr"], weight_decay=tc["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=tc["epochs"])
    loss_fn = nn.MSELoss()

    for epoch in range(1, tc["epochs"] + 1):
        model.train()
        running = 0.0
        for x, y in loader:
            loss = loss_fn(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(x)
        sched.step()
        val_loss, r2, _ = evaluate(model, splits.val)
        if epoch % 4 == 0 or epoch == 1:
            print(f"epoch {epoch:3d}  train {running / len(splits.train):.4f}  val {val_loss:.4f}  "
                  f"R2 protein {r2[0]:.3f}  moisture {r2[1]:.3f}")

    _, r2, rmsep = evaluate(model, splits.test)
    rmsep = rmsep * splits.target_std
    print(f"test  R2 protein {r2[0]:.3f}  moisture {r2[1]:.3f}  RMSEP {rmsep[0]:.2f} % / {rmsep[1]:.2f} %")


if __name__ == "__main__":
    main()
