# LSTM rainfall-runoff model, all catchments in parallel, truncated BPTT over the record
import configparser
import sys

import numpy as np
import torch
from torch import nn

cp = configparser.ConfigParser()
cp.read(sys.argv[1] if len(sys.argv) > 1 else "model.ini")
data, net, run = cp["data"], cp["network"], cp["run"]
torch.manual_seed(run.getint("seed"))

rec = np.load(data["file"])
split = data.getint("train_days")
forcing = torch.from_numpy(np.stack([np.log1p(rec["rain"].astype(np.float32)), rec["pet"].astype(np.float32)], -1))
flow = torch.from_numpy(rec["discharge"].astype(np.float32))
fm, fs = forcing[:, :split].mean((0, 1)), forcing[:, :split].std((0, 1))
qm, qs = flow[:, :split].mean(), flow[:, :split].std()
x, y = (forcing - fm) / fs, (flow - qm) / qs


class RunoffLSTM(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.lstm = nn.LSTM(n_in, hidden, batch_first=True)
        with torch.no_grad():
            self.lstm.bias_hh_l0[hidden:2 * hidden] = 3.0   # long memory from the start
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, state=None):
        h, state = self.lstm(x, state)
        return self.out(h).squeeze(-1), state


def nse(sim, obs):
    """Nash-Sutcliffe efficiency per catchment, mean over catchments."""
    return (1 - ((sim - obs) ** 2).sum(1) / ((obs - obs.mean(1, keepdim=True)) ** 2).sum(1)).mean().item()


model = RunoffLSTM(x.shape[-1], net.getint("hidden"))
optim = torch.optim.Adam(model.parameters(), lr=net.getfloat("lr"))
window = run.getint("window")

for epoch in range(run.getint("epochs")):
    model.train()
    total, chunks = 0.0, 0
    for start in range(0, split, window):
        state = None
        xb, yb = x[:, start:start + window], y[:, start:start + window]
        pred, state = model(xb, state)
        loss = ((pred - yb) ** 2).mean()
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), run.getfloat("clip"))
        optim.step()
        state = tuple(s.detach() for s in state)
        total += loss.item()
        chunks += 1
    model.eval()
    with torch.no_grad():
        sim, _ = model(x)
    print(f"epoch {epoch + 1:02d} mse {total / chunks:.4f} "
          f"NSE calibration {nse(sim[:, 100:split], y[:, 100:split]):.3f} validation {nse(sim[:, split:], y[:, split:]):.3f}")
