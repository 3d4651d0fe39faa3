import argparse
import json
import time
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from glucose.predictor import NextReading, forecast_loss
from glucose.records import Nights

parser = argparse.ArgumentParser()
parser.add_argument("--config", default=Path(__file__).parent / "config.json", type=Path)
parser.add_argument("--seed", type=int, default=None)
args = parser.parse_args()
cfg = json.loads(args.config.read_text())
seed = cfg["seed"] if args.seed is None else args.seed
torch.manual_seed(seed)

data = cfg["data"]
train = Nights(data["train"], data["longest"], seed)
valid = Nights(data["valid"], data["longest"], seed + 500)
loader = DataLoader(train, batch_size=cfg["batch"], shuffle=True)

model = NextReading(cfg["hidden"])
optimizer = torch.optim.RMSprop(model.parameters(), lr=cfg["lr"], alpha=0.95)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=cfg["epochs"] // 3, gamma=0.4)


@torch.no_grad()
def check():
    """RMSE of the next reading over the recorded part of each night, and the same for 'no change'."""
    model.eval()
    model_err = naive_err = count = 0.0
    for series, length in DataLoader(valid, batch_size=100):
        pred = model(series[:, :-1])
        for row in range(len(length)):
            n = int(length[row])
            truth = series[row, 1:n]
            model_err += (pred[row, : n - 1] - truth).pow(2).sum().item()
            naive_err += (series[row, : n - 1] - truth).pow(2).sum().item()
            count += n - 1
    return (model_err / count) ** 0.5, (naive_err / count) ** 0.5


began = time.time()
for epoch in range(1, cfg["epochs"] + 1):
    model.train()
    running = 0.0
    for series, _ in loader:
        prediction = model(series[:, :-1])
        loss = forecast_loss(prediction, series[:, 1:], data["fill"])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        running += loss.item()
    scheduler.step()
    rmse, naive = check()
    print(f"{epoch:2d}  train loss {running / len(loader):.4f}  valid rmse {rmse:.4f}  (no change {naive:.4f})  {time.time() - began:.1f}s")
