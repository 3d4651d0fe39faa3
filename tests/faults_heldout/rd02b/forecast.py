import argparse
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

parser = argparse.ArgumentParser(description="outlet temperature forecaster")
parser.add_argument("--data", default="plant")
parser.add_argument("--window", type=int, default=24)
parser.add_argument("--ahead", type=int, default=6)
parser.add_argument("--hidden", type=int, default=24)
parser.add_argument("--batch", type=int, default=50)
parser.add_argument("--epochs", type=int, default=10)
parser.add_argument("--lr", type=float, default=3e-3)
args = parser.parse_args()

torch.manual_seed(3)

# ---------------------------------------------------------------- data
root = Path(args.data)
meta = json.loads((root / "channels.json").read_text())
readings = np.load(root / "readings.npy")
scaled = (readings - np.array(meta["mean"])) / np.array(meta["std"])
series = torch.tensor(scaled, dtype=torch.float32)

N_TRAIN, GAP = 3200, args.window + args.ahead


def windows(block):
    n = len(block) - args.window - args.ahead + 1
    past = torch.stack([block[i:i + args.window] for i in range(n)])
    future = block[args.window + args.ahead - 1:, 0]
    return past, future - past[:, -1, 0]


x_train, y_train = windows(series[:N_TRAIN])
x_test, y_test = windows(series[N_TRAIN + GAP:])


# --------------------------------------------------------------- model
class Forecaster(nn.Module):
    def __init__(self, channels, hidden):
        super().__init__()
        self.gru = nn.GRU(channels, hidden, batch_first=True)
        self.readout = nn.Linear(hidden, 1)

    def forward(self, x):
        states, _ = self.gru(x)
        return self.readout(states[:, -1]).squeeze(-1)


net = Forecaster(series.shape[1], args.hidden)
opt = torch.optim.Adam(net.parameters(), lr=args.lr)
steps = args.epochs * (len(x_train) // args.batch)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=steps)
criterion = nn.MSELoss()

persistence = y_test.pow(2).mean().item()
print(f"{len(x_train)} train windows, {len(x_test)} test windows, persistence mse {persistence:.4f}")

for epoch in range(args.epochs):
    net.train()
    order = torch.randperm(len(x_train))
    running = 0.0
    for b in range(len(x_train) // args.batch):
        pick = order[b * args.batch:(b + 1) * args.batch]
        opt.zero_grad()
        loss = criterion(net(x_train[pick]), y_train[pick])
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        running += loss.item()
    net.eval()
    with torch.no_grad():
        test_mse = criterion(net(x_test), y_test).item()
    print(f"[{epoch + 1}/{args.epochs}] train mse {running / (b + 1):.4f}  test mse {test_mse:.4f}")
