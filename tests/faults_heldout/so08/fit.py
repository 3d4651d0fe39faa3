import logging

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from pointset import PointSetNet

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("shards")
options = dict(epochs=30, batch=32, lr=3e-3, wd=1e-4, seed=13)


def tensors():
    z = np.load("shards.npz")
    pts = torch.from_numpy(z["points"].astype(np.float32))
    pts = (pts - pts.mean(1, keepdim=True)) / pts.std((1, 2), keepdim=True)
    y = torch.from_numpy(z["shape_id"].astype(np.int64))
    part = torch.from_numpy(z["part"])
    return TensorDataset(pts[part == 0], y[part == 0]), TensorDataset(pts[part == 1], y[part == 1]), int(y.max()) + 1


def score(net, data):
    net.eval()
    x, y = data.tensors
    with torch.no_grad():
        out = net(x)
    return nn.functional.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


torch.manual_seed(options["seed"])
train, valid, classes = tensors()
loader = DataLoader(train, batch_size=options["batch"], shuffle=True)
net = PointSetNet(classes)
opt = torch.optim.AdamW(net.parameters(), lr=options["lr"], weight_decay=options["wd"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, options["epochs"] * len(loader))
for epoch in range(options["epochs"]):
    net.train()
    seen = []
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        sched.step()
        seen.append(loss.item())
    (tl, ta), (vl, va) = score(net, train), score(net, valid)
    log.info("epoch %02d  batch loss %.4f  train %.4f / %.3f  valid %.4f / %.3f", epoch, np.mean(seen), tl, ta, vl, va)
