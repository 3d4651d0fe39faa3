import torch

from mtl.data import make
from mtl.model import Heads, UncertaintyWeights, task_losses

torch.manual_seed(0)
train, val = make(3000, 0), make(400, 1)
net, weigh = Heads(), UncertaintyWeights(3)
opt_net = torch.optim.Adam(net.parameters(), lr=1.5e-3)
opt_w = torch.optim.SGD(weigh.parameters(), lr=3e-2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt_net, T_max=14)

for epoch in range(14):
    net.train()
    tot = 0.0
    for idx in torch.randperm(len(train[0])).split(50):
        x, *ys = (t[idx] for t in train)
        loss = weigh(task_losses(net(x), *ys))
        opt_net.zero_grad()
        opt_w.zero_grad()
        loss.backward()
        opt_net.step()
        opt_w.step()
        tot += loss.item() * len(idx)
    sched.step()
    net.eval()
    with torch.no_grad():
        r, q, s = net(val[0])
        vl = weigh(task_losses((r, q, s), *val[1:])).item()
    print(f"{epoch:2d} train {tot / len(train[0]):+.3f} val {vl:+.3f} radius mae {(r - val[1]).abs().mean():.3f} "
          f"quad acc {(q.argmax(1) == val[2]).float().mean():.3f} sign acc {((s > 0) == (val[3] > 0)).float().mean():.3f} "
          f"log var {[round(v, 2) for v in weigh.log_var.tolist()]}")
