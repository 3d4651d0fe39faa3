"""Soft sensor: vessel temperature from the valve command log, several plants recorded in parallel."""
import argparse

import numpy as np
import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--log", default="plants.npz")
ap.add_argument("--chunk", type=int, default=20, help="steps of truncated backpropagation")
ap.add_argument("--reset", choices=["chunk", "pass"], default="pass", help="when the hidden state starts from zero")
ap.add_argument("--hidden", type=int, default=32)
ap.add_argument("--passes", type=int, default=40)
ap.add_argument("--lr", type=float, default=1e-2)
ap.add_argument("--seed", type=int, default=0)
opt = ap.parse_args()
torch.manual_seed(opt.seed)

log = np.load(opt.log)
command = torch.from_numpy(log["command"].astype(np.float32))        # plants x time x 2: open / close pulses
temperature = torch.from_numpy(log["temperature"].astype(np.float32))  # plants x time, degrees C
n_test = 8
mean, std = temperature[:-n_test].mean(), temperature[:-n_test].std()
target = (temperature - mean) / std
x_train, x_test = command[:-n_test], command[-n_test:]
y_train, y_test = target[:-n_test], target[-n_test:]


class SoftSensor(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, state=None):
        h, state = self.rnn(x, state)
        return self.out(h).squeeze(-1), state


def chunks(x, y, model):
    """Walk through the record in time order; yields prediction and truth of each chunk."""
    state = None
    for xc, yc in zip(x.split(opt.chunk, 1), y.split(opt.chunk, 1)):
        if opt.reset == "chunk":
            state = None
        pred, state = model(xc, state)
        state = state.detach()
        yield pred, yc


model = SoftSensor(x_train.shape[-1], opt.hidden)
optimizer = torch.optim.Adam(model.parameters(), lr=opt.lr)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, opt.passes, eta_min=opt.lr / 50)

for n in range(1, opt.passes + 1):
    model.train()
    losses = []
    for pred, truth in chunks(x_train, y_train, model):
        loss = nn.functional.mse_loss(pred, truth)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    schedule.step()
    if n % 4 == 0:
        model.eval()
        with torch.no_grad():
            err = torch.cat([pred - truth for pred, truth in chunks(x_test, y_test, model)], dim=1)
        rmse = err.square().mean().sqrt() * std
        print(f"pass {n:3d}  train mse {np.mean(losses):.4f}  test rmse {rmse:.2f} C")
