"""Day-ahead load forecasting: 48 hours of history in, the next 12 hours out."""
import json
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from transformers import get_scheduler

from model import LoadForecaster

HERE = Path(__file__).resolve().parent


def make_windows(frame, context, horizon, stride):
    hod = frame["hour"].to_numpy() % 24
    dow = (frame["hour"].to_numpy() // 24) % 7
    feats = np.stack([
        frame["load_z"], frame["temp_z"],
        np.sin(2 * np.pi * hod / 24), np.cos(2 * np.pi * hod / 24),
        np.sin(2 * np.pi * dow / 7), np.cos(2 * np.pi * dow / 7),
    ], axis=1).astype("float32")
    target = frame["load_z"].to_numpy("float32")
    starts = range(0, len(frame) - context - horizon + 1, stride)
    x = np.stack([feats[s:s + context] for s in starts])
    y = np.stack([target[s + context:s + context + horizon] for s in starts])
    return torch.from_numpy(x), torch.from_numpy(y)


def main():
    cfg = json.loads((HERE / "config.json").read_text())
    set_seed(cfg["seed"])
    accelerator = Accelerator(cpu=True)

    frame = pd.read_csv(HERE / "load.csv")
    cut = int(len(frame) * 0.8)
    load_mean, load_std = frame["load_mw"][:cut].mean(), frame["load_mw"][:cut].std()
    frame["load_z"] = (frame["load_mw"] - load_mean) / load_std
    frame["temp_z"] = (frame["temp_c"] - frame["temp_c"][:cut].mean()) / frame["temp_c"][:cut].std()

    context, horizon = cfg["context"], cfg["horizon"]
    x_tr, y_tr = make_windows(frame.iloc[:cut], context, horizon, stride=2)
    x_va, y_va = make_windows(frame.iloc[cut:], context, horizon, stride=3)

    train_dl = DataLoader(TensorDataset(x_tr, y_tr), batch_size=cfg["batch_size"], shuffle=True)
    val_dl = DataLoader(TensorDataset(x_va, y_va), batch_size=128)

    model = LoadForecaster(x_tr.shape[-1], context, horizon, **cfg["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["optim"]["lr"],
                                  weight_decay=cfg["optim"]["weight_decay"])
    sched = cfg["schedule"]
    scheduler = get_scheduler(sched["name"], optimizer, num_warmup_steps=sched["warmup_steps"],
                              num_training_steps=sched["total_steps"])
    model, optimizer, train_dl, val_dl, scheduler = accelerator.prepare(
        model, optimizer, train_dl, val_dl, scheduler)
    loss_fn = nn.SmoothL1Loss()

    # same hours of the day before (the context is longer than a day)
    naive = (x_va[:, -24:-24 + horizon, 0] - y_va).abs().mean().item() * load_std
    accelerator.print(f"train windows {len(x_tr)}  val windows {len(x_va)}  day-before MAE {naive:.1f} MW")

    for epoch in range(cfg["epochs"]):
        model.train()
        running = 0.0
        for x, y in train_dl:
            loss = loss_fn(model(x), y)
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
            running += loss.item() * len(x)

        model.eval()
        err, count = 0.0, 0
        with torch.no_grad():
            for x, y in val_dl:
                pred, y = accelerator.gather_for_metrics((model(x), y))
                err += (pred - y).abs().sum().item()
                count += y.numel()
        accelerator.print(f"epoch {epoch + 1:2d}  train loss {running / len(x_tr):.4f}  "
                          f"val MAE {err / count * load_std:.2f} MW")


if __name__ == "__main__":
    main()
