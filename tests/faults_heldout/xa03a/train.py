import tomllib
from pathlib import Path

import torch

from field import build_field
from survey import read_survey, split

root = Path(__file__).resolve().parent
with open(root / "settings.toml", "rb") as fh:
    conf = tomllib.load(fh)

torch.manual_seed(40)
xy, z = read_survey(root / conf["data"]["file"])
(xt, zt), (xv, zv) = split(xy, z, conf["data"]["val_every"])
m, s = zt.mean(), zt.std()
zt, zv = (zt - m) / s, (zv - m) / s

net = build_field(conf["network"]["fourier_bands"], conf["network"]["width"], conf["network"]["depth"])
opt = torch.optim.Adam(net.parameters(), lr=conf["train"]["lr"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, conf["train"]["epochs"])

for epoch in range(conf["train"]["epochs"]):
    running = []
    for idx in torch.randperm(len(xt)).split(conf["train"]["batch"]):
        opt.zero_grad()
        loss = (net(xt[idx]) - zt[idx]).square().mean()
        loss.backward()
        opt.step()
        running.append(loss.detach())
    sched.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            val = (net(xv) - zv).square().mean()
        print(f"{epoch + 1:3d}: train {torch.stack(running).mean().item():.4f} | val {val.item():.4f} | explained {1 - val.item() / zv.var().item():.3f}")
