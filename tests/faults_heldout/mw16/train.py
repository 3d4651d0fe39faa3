"""Next-hour feeder load as a normal density (mean and spread)."""
import math
import sys

import numpy as np
import pandas as pd
import torch
import yaml
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, TensorDataset

with open("forecast.yaml") as fh:
    cfg = yaml.safe_load(fh)
if len(sys.argv) > 1:
    cfg["seed"] = int(sys.argv[1])
torch.manual_seed(cfg["seed"])

frame = pd.read_csv(cfg["csv"])
load = frame["load_mw"].to_numpy(np.float32)
temp = frame["temp"].to_numpy(np.float32)
hour = frame["hour"].to_numpy()
n = len(load)
train_end, val_end = int(0.7 * n), int(0.85 * n)
lo, ls = load[:train_end].mean(), load[:train_end].std()
to, ts = temp[:train_end].mean(), temp[:train_end].std()
z, tz = (load - lo) / ls, (temp - to) / ts


def windows(first, last):
    rows, ys = [], []
    for t in range(max(first, 168), last):
        day, wk = 2 * np.pi * (hour[t] % 24) / 24, (hour[t] // 24) % 7
        calendar = [np.sin(day), np.cos(day), np.sin(2 * day), np.cos(2 * day), float(wk < 5)]
        rows.append(np.concatenate([z[t - cfg["lags"]:t], z[t - 168:t - 167], tz[t - 1:t + 1], calendar]))
        ys.append(z[t])
    return torch.tensor(np.array(rows), dtype=torch.float32), torch.tensor(np.array(ys), dtype=torch.float32)


x_tr, y_tr = windows(0, train_end)
x_va, y_va = windows(train_end, val_end)
x_te, y_te = windows(val_end, n)


class DensityNet(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.SiLU(), nn.Dropout(0.1), nn.Linear(hidden, hidden), nn.SiLU())
        self.mean = nn.Linear(hidden, 1)
        self.log_sd = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(1), self.log_sd(h).squeeze(1)


def nll(mean, log_sd, y):
    mean, log_sd = mean.float(), log_sd.float()
    return (log_sd + 0.5 * ((y - mean) * torch.exp(-log_sd)) ** 2 + 0.5 * math.log(2 * math.pi)).mean()


@torch.no_grad()
def evaluate(net, x, y):
    net.eval()
    mean, log_sd = net(x)
    return nll(mean, log_sd, y).item(), (mean - y).abs().mean().item() * ls


model = DensityNet(x_tr.shape[1], cfg["hidden"])
ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(cfg["ema"]))
opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.05)
loader = DataLoader(TensorDataset(x_tr, y_tr), batch_size=cfg["batch_size"], shuffle=True)
total = cfg["epochs"] * len(loader)
warm = max(1, int(cfg["warmup_share"] * total))
sched = torch.optim.lr_scheduler.SequentialLR(
    opt,
    [torch.optim.lr_scheduler.LinearLR(opt, 0.05, 1.0, warm), torch.optim.lr_scheduler.CosineAnnealingLR(opt, total - warm)],
    milestones=[warm],
)

for epoch in range(cfg["epochs"]):
    model.train()
    seen = 0.0
    for xb, yb in loader:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=cfg["precision"] == "bf16"):
            mean, log_sd = model(xb)
        loss = nll(mean, log_sd, yb)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
        opt.step()
        sched.step()
        ema.update_parameters(model)
        seen += loss.item() * len(yb)
    if epoch % 3 == 2:
        v, mae = evaluate(ema, x_va, y_va)
        print(f"epoch {epoch + 1:2d}  train nll {seen / len(y_tr):+.4f}  val nll {v:+.4f}  val mae {mae:.3f} MW")

score, mae = evaluate(ema, x_te, y_te)
naive = np.abs(load[val_end:] - load[val_end - 24:n - 24]).mean()
print(f"test nll {score:+.4f}  mae {mae:.3f} MW  (same hour yesterday: {naive:.3f} MW)")
