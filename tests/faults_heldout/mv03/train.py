import sys

import torch
from torch import nn

from mixing import mix, soft_ce
from tables import read_split

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 2
torch.manual_seed(seed)

x, y = read_split("train")
xv, yv = read_split("valid")
mu, sd = x.mean(0), x.std(0)
x, xv = (x - mu) / sd, (xv - mu) / sd
K = int(y.max()) + 1

model = nn.Sequential(nn.Linear(x.shape[1], 96), nn.LayerNorm(96), nn.GELU(),
                      nn.Linear(96, 96), nn.GELU(), nn.Linear(96, K))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=60, power=1.0)

for epoch in range(60):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(x)).split(64):
        xm, tm = mix(x[idx], y[idx], K, alpha=0.6)
        loss = soft_ce(model(xm), tm)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    sched.step()
    if epoch % 6 == 5:
        model.eval()
        with torch.no_grad():
            zv = model(xv)
            clean = soft_ce(model(x), nn.functional.one_hot(y, K).float()).item()
        acc = (zv.argmax(1) == yv).float().mean().item()
        print(f"{epoch + 1:3d} mixed {total / len(x):.4f} clean {clean:.4f} valid acc {acc:.4f}")
