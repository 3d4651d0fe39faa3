import tomllib

import torch
import torch.nn.functional as F

from cellseg.averaging import Averaged
from cellseg.data import batches, load
from cellseg.net import UNet

with open("conf.toml", "rb") as f:
    C = tomllib.load(f)


@torch.no_grad()
def dice(net, img, mask):
    p = net(img)
    hit = (p > 0).float()
    d = 2 * (hit * mask).sum((1, 2, 3)) / (hit.sum((1, 2, 3)) + mask.sum((1, 2, 3))).clamp(min=1)
    return F.binary_cross_entropy_with_logits(p, mask).item(), d.mean().item()


torch.manual_seed(C["seed"])
train, valid = load(C["data"])
net = UNet(C["width"])
avg = Averaged(net, C["ema"]["decay"])
opt = torch.optim.AdamW(net.parameters(), lr=C["lr"], weight_decay=1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, C["steps"], eta_min=C["lr"] / 20)
stream = batches(*train, C["batch"])
running = 0.0
for step in range(1, C["steps"] + 1):
    x, y = next(stream)
    loss = F.binary_cross_entropy_with_logits(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    avg.update(net)
    running += loss.item()
    if step % C["eval_every"] == 0:
        vl, vd = dice(avg.net, *valid)
        print(f"step {step:4d}  train bce {running / C['eval_every']:.4f}  valid bce {vl:.4f}  valid dice {vd:.4f}")
        running = 0.0
