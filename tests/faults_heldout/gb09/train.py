import json
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from forecast.net import Forecaster
from forecast.schedule import warmup_cosine
from forecast.series import Windows, simulate_load

cfg = json.loads((Path(__file__).parent / "config.json").read_text())
torch.manual_seed(cfg["seed"])

load = simulate_load(cfg["hours"], cfg["seed"])
cut = int(0.8 * len(load))
mean, std = load[:cut].mean(), load[:cut].std()
train_set = Windows(load[:cut], mean, std, cfg["context"], cfg["horizon"], stride=2)
val_set = Windows(load[cut:], mean, std, cfg["context"], cfg["horizon"], stride=4)
train_loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True)
val_loader = DataLoader(val_set, batch_size=256)

net = Forecaster(cfg["context"], cfg["horizon"])
opt = torch.optim.RMSprop(net.parameters(), lr=cfg["lr"], alpha=0.95)
total = cfg["epochs"] * len(train_loader)
sched = warmup_cosine(opt, peak=cfg["lr"], floor=cfg["lr"] * 0.02, warmup=int(0.05 * total), total=total)
loss_fn = torch.nn.MSELoss()

for epoch in range(cfg["epochs"]):
    net.train()
    acc = 0.0
    for ctx, fut in train_loader:
        loss = loss_fn(net(ctx), fut)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        acc += loss.item()
    net.eval()
    with torch.no_grad():
        mae = torch.cat([(net(c) - f).abs() for c, f in val_loader]).mean().item() * std
    print(json.dumps({"epoch": epoch, "train_mse": round(acc / len(train_loader), 4), "val_mae_mw": round(float(mae), 3)}))
