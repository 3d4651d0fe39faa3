"""Bearing condition (ok / outer race / inner race / cage) from short vibration snippets."""
import tomllib

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from net import BearingNet


def loaders(cfg):
    z = np.load(cfg["file"])
    scale = z["x_train"].astype(np.float32).std()

    def ds(part):
        x = torch.from_numpy(z[f"x_{part}"].astype(np.float32) / scale)[:, None]
        return TensorDataset(x, torch.from_numpy(z[f"y_{part}"].astype(np.int64)))

    return (DataLoader(ds("train"), batch_size=cfg["micro_batch"], shuffle=True, drop_last=True),
            DataLoader(ds("test"), batch_size=250))


def evaluate(acc, model, loader):
    model.eval()
    nll, hits, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            z, y = acc.gather_for_metrics((model(x), y))
            nll += nn.functional.cross_entropy(z, y, reduction="sum").item()
            hits += (z.argmax(1) == y).sum().item()
            n += len(y)
    return nll / n, hits / n


def main():
    cfg = tomllib.load(open("settings.toml", "rb"))
    torch.set_num_threads(1)
    set_seed(cfg["seed"])
    steps = cfg["data"]["accumulate"]
    acc = Accelerator(cpu=True, gradient_accumulation_steps=steps)
    train, test = loaders(cfg["data"])
    model = BearingNet()
    opt = torch.optim.SGD(model.parameters(), **cfg["optim"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
    model, opt, train, test = acc.prepare(model, opt, train, test)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(cfg["epochs"]):
        model.train()
        total = 0.0
        for x, y in train:
            with acc.accumulate(model):
                loss = criterion(model(x), y)
                total += loss.item()
                loss = loss / steps
                acc.backward(loss)
                opt.step()
                opt.zero_grad()
        sched.step()
        nll, score = evaluate(acc, model, test)
        acc.print(f"[{epoch + 1}/{cfg['epochs']}] train {total / len(train):.4f}  test {nll:.4f}  accuracy {score:.3f}")


if __name__ == "__main__":
    main()
