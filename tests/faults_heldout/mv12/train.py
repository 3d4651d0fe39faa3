import argparse

import torch
from torch.nn import functional as F

from net import Forecaster
from stream import Windows, record

ap = argparse.ArgumentParser()
ap.add_argument("--epochs", type=int, default=14)
ap.add_argument("--lanes", type=int, default=16)
ap.add_argument("--span", type=int, default=25)
ap.add_argument("--seed", type=int, default=9)
args = ap.parse_args()
torch.manual_seed(args.seed)

train, later = record()
net = Forecaster()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 5, 0.4)
naive = F.mse_loss(later[1:-1] * 2 - later[:-2], later[2:]).item()
last = F.mse_loss(later[:-1], later[1:]).item()
print(f"later record: last value {last:.5f}, linear extrapolation {naive:.5f}")

for epoch in range(args.epochs):
    net.train()
    h, total, count = None, 0.0, 0
    for x, y in Windows(train, args.lanes, args.span):
        pred, h = net(x, h)
        loss = F.mse_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        h = h.detach()          # the state goes on, the graph ends here
        total, count = total + loss.item(), count + 1
    sched.step()
    net.eval()
    with torch.no_grad():
        pred, _ = net(later[None, :-1, None])
        mse = F.mse_loss(pred[0, 50:, 0], later[51:]).item()
    print(f"epoch {epoch:2d} train {total / count:.5f} later {mse:.5f}")
