# %% Flow estimator for the dosing line
# plant_log.csv is one uninterrupted recording, one row per second. The operator sends short
# open / close pulses to the valve and varies the pump speed; we estimate the flow downstream.
import json
import sys

import numpy as np
import torch
import torch.nn as nn

S = json.load(open(sys.argv[1] if len(sys.argv) > 1 else "settings.json"))
torch.manual_seed(S["seed"])

# %% data: the training part is cut into parallel lanes, each lane read chunk after chunk
table = np.loadtxt(S["log"], delimiter=",", skiprows=1, dtype=np.float32)
train, valid = table[: S["train_rows"]], table[S["train_rows"]:]
mu, sd = train.mean(0), train.std(0)
mu[:2], sd[:2] = 0, 1                       # the two pulse columns stay 0/1
train, valid = (torch.from_numpy((t - mu) / sd) for t in (train, valid))


def lanes(t, n):
    length = len(t) // n
    return t[: n * length].view(n, length, -1)


def chunks(t, size):
    for k in range(0, t.size(1) - size + 1, size):
        part = t[:, k:k + size]
        yield part[..., :3], part[..., 3:]


# %% model
class FlowNet(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.rnn = nn.GRU(n_in, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden + n_in, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x, h=None):
        z, h = self.rnn(x, h)
        return self.head(torch.cat([z, x], -1)), h


net = FlowNet(3, S["hidden"])
opt = torch.optim.Adam(net.parameters(), lr=S["lr"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, S["epochs"], eta_min=2e-4)


def run(stream, training):
    net.train(training)
    state, losses = None, []
    for x, y in chunks(stream, S["chunk"]):
        if state is not None:
            state = state.detach() if S["stateful"] else None
        with torch.set_grad_enabled(training):
            out, state = net(x, state)
            loss = nn.functional.mse_loss(out, y)
        if training:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), S["clip"])
            opt.step()
        losses.append(loss.item())
    return float(np.mean(losses))


# %% fit
tr_stream, va_stream = lanes(train, S["lanes"]), lanes(valid, 1)
for epoch in range(1, S["epochs"] + 1):
    a = run(tr_stream, True)
    b = run(va_stream, False)
    sched.step()
    print(f"[{epoch:02d}] train mse {a:.4f}  valid mse {b:.4f}")
print("valid rmse in l/min: %.3f" % (b ** 0.5 * sd[3]))
