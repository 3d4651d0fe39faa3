import logging
import tomllib
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from dataset import load
from model import PowerModel

log = logging.getLogger("station")
ROOT = Path(__file__).resolve().parent


def evaluate(model, ds):
    model.eval()
    x, y = ds.tensors
    with torch.no_grad():
        pred = model(x)
    mse = torch.mean((pred - y) ** 2).item()
    return mse, 1.0 - mse / y.var(unbiased=False).item()


def main():
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s | %(message)s", datefmt="%H:%M:%S")
    cfg = tomllib.loads((ROOT / "config.toml").read_text())
    torch.manual_seed(cfg["seed"])
    torch.set_num_threads(1)

    train_ds, val_ds, names = load(cfg["data"], ROOT)
    log.info("%d train rows, %d val rows, inputs: %s", len(train_ds), len(val_ds), ", ".join(names))
    loader = DataLoader(train_ds, batch_size=cfg["train"]["batch_size"], shuffle=True, drop_last=True)

    model = PowerModel(len(names), cfg["model"]["hidden"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["train"]["lr"], weight_decay=cfg["train"]["weight_decay"])
    sched = torch.optim.lr_scheduler.OneCycleLR(
        opt, max_lr=cfg["train"]["lr"], epochs=cfg["train"]["epochs"], steps_per_epoch=len(loader), pct_start=0.1)
    loss_fn = torch.nn.MSELoss()

    for epoch in range(1, cfg["train"]["epochs"] + 1):
        model.train()
        running = 0.0
        for x, y in loader:
            opt.zero_grad(set_to_none=True)
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            sched.step()
            running += loss.item()
        if epoch % 5 == 0 or epoch == 1:
            mse, r2 = evaluate(model, val_ds)
            log.info("epoch %3d  train mse %.5f  val mse %.5f  val R2 %.4f", epoch, running / len(loader), mse, r2)


if __name__ == "__main__":
    main()
