import json
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from model import PinballLoss, QuantileNet
from orders import load_orders

cfg = json.load(open(Path(__file__).with_name("config.json")))
torch.manual_seed(cfg["seed"])
xtr, ytr = load_orders(10000, cfg["seed"])
xva, yva = load_orders(2500, cfg["seed"] + 50)
m, s = xtr.mean(0), xtr.std(0)
xtr, xva = torch.from_numpy((xtr - m) / s), torch.from_numpy((xva - m) / s)
ytr, yva = torch.from_numpy(ytr), torch.from_numpy(yva)
loader = DataLoader(TensorDataset(xtr, ytr), cfg["batch_size"], shuffle=True)

q = cfg["quantiles"]
start = np.quantile(ytr.numpy(), q)
net = QuantileNet(xtr.shape[1], len(q), cfg["hidden"], start)
crit = PinballLoss(q)
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg["lr"], total_steps=cfg["epochs"] * len(loader))

const = crit(torch.tensor(start, dtype=torch.float32).expand(len(yva), -1), yva).item()
print(f"pinball of the constant quantiles: {const:.3f} min")
for epoch in range(cfg["epochs"]):
    net.train()
    run = []
    for xb, yb in loader:
        opt.zero_grad(set_to_none=True)
        loss = crit(net(xb), yb)
        loss.backward()
        opt.step()
        sched.step()
        run.append(loss.item())
    net.eval()
    with torch.no_grad():
        pv = net(xva)
        vl = crit(pv, yva).item()
    print(f"epoch {epoch + 1:2d}: pinball train {np.mean(run):.3f} val {vl:.3f} min")

p, t = pv.numpy(), yva.numpy()
for i, level in enumerate(q):
    print(f"q{level:.1f}: share of orders below {np.mean(t <= p[:, i]):.3f}")
print(f"80% interval: width {np.mean(p[:, -1] - p[:, 0]):.1f} min, "
      f"median abs. error of q0.5 {np.median(np.abs(p[:, 1] - t)):.2f} min (mean order {t.mean():.1f} min)")
