import json
import sys
from pathlib import Path

import torch
from torch.utils.data import DataLoader, TensorDataset

from bayes import DropoutRegressor, gaussian_nll, predictive
from mixes import load

cfg = json.loads((Path(__file__).parent / (sys.argv[1] if len(sys.argv) > 1 else "config.json")).read_text())
torch.manual_seed(cfg["seed"])
(xt, yt), (xv, yv), scale = load(cfg["seed"])

model = DropoutRegressor(xt.shape[1], cfg["hidden"], cfg["drop"])
opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
loader = DataLoader(TensorDataset(xt, yt), batch_size=cfg["batch_size"], shuffle=True)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"], eta_min=cfg["lr"] / 50)

for epoch in range(1, cfg["epochs"] + 1):
    total = 0.0
    for x, y in loader:
        mu, lv = model(x)
        loss = gaussian_nll(mu, lv, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(x)
    sched.step()
    if epoch % 4 == 0:
        m, s = predictive(model, xv, cfg["passes"])
        rmse = ((m - yv) ** 2).mean().sqrt() * float(scale.s)
        r2 = 1 - ((m - yv) ** 2).mean() / yv.var()
        cover = ((m - yv).abs() < 1.645 * s).float().mean()
        print(f"epoch {epoch:3d}  nll {total / len(xt):.4f}  val rmse {rmse:.2f} MPa  R2 {r2:.3f}  90% interval covers {cover:.3f}")
