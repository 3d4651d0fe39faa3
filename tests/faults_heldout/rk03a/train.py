import argparse
import logging
import tomllib

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from sleepstage.model import StageNet
from sleepstage.split import split
from sleepstage.windows import cut

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("stages")


def as_dataset(table, mean, std):
    x = (table.x - mean) / std
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(table.y.astype(np.int64)))


@torch.no_grad()
def validate(model, loader, n_stages):
    model.eval()
    total = 0.0
    confusion = torch.zeros(n_stages, n_stages)
    for x, y in loader:
        out = model(x)
        total += F.cross_entropy(out, y, reduction="sum").item()
        confusion.index_put_((y, out.argmax(1)), torch.ones(len(y)), accumulate=True)
    n = confusion.sum()
    po = confusion.diag().sum() / n
    pe = (confusion.sum(0) * confusion.sum(1)).sum() / n**2
    return total / n.item(), po.item(), ((po - pe) / (1 - pe)).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("settings", nargs="?", default="settings.toml")
    args = ap.parse_args()
    with open(args.settings, "rb") as fh:
        cfg = tomllib.load(fh)
    rng = np.random.default_rng(cfg["seed"])
    torch.manual_seed(cfg["seed"])

    table = cut(cfg["recordings"], **cfg["windows"])
    train, val = split(table, rng=rng, **cfg["split"])
    log.info("%d recordings, %d train windows, %d val windows",
             table.recording.max() + 1, len(train), len(val))

    mean = train.x.mean((0, 2), keepdims=True)
    std = train.x.std((0, 2), keepdims=True)
    bs = cfg["train"]["batch_size"]
    train_loader = DataLoader(as_dataset(train, mean, std), bs, shuffle=True, drop_last=True)
    val_loader = DataLoader(as_dataset(val, mean, std), 256)

    n_stages = int(table.y.max()) + 1
    model = StageNet(table.x.shape[1], n_stages, **cfg["model"])
    model(torch.zeros(2, *table.x.shape[1:]))
    opt = torch.optim.AdamW(model.parameters(), cfg["train"]["lr"], weight_decay=cfg["train"]["weight_decay"])
    epochs = cfg["train"]["epochs"]
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)

    for epoch in range(1, epochs + 1):
        model.train()
        losses = []
        for x, y in train_loader:
            x = x + cfg["train"]["jitter"] * torch.randn_like(x)
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        vl, acc, kappa = validate(model, val_loader, n_stages)
        log.info("epoch %d/%d  train %.4f  val %.4f  acc %.3f  kappa %.3f",
                 epoch, epochs, np.mean(losses), vl, acc, kappa)


if __name__ == "__main__":
    main()
