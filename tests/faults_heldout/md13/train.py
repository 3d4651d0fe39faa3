import argparse

import numpy as np
import torch

from flow import Flow

ap = argparse.ArgumentParser(description="density of calibration offsets")
ap.add_argument("data")
ap.add_argument("--steps", type=int, default=800)
ap.add_argument("--lr", type=float, default=6e-3)
ap.add_argument("--batch", type=int, default=128)
args = ap.parse_args()
gen = torch.Generator().manual_seed(17)
torch.manual_seed(17)

x = torch.from_numpy(np.load(args.data))
x = x[torch.randperm(len(x), generator=gen)]
train, test = x[:3200], x[3200:]
model = Flow(train.mean(0), train.std(0))
opt = torch.optim.Adam(model.parameters(), lr=args.lr)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps)


def nll(data):
    with torch.no_grad():
        return -model.log_prob(data).mean().item()


gauss = torch.distributions.MultivariateNormal(train.mean(0), torch.from_numpy(np.cov(train.numpy().T)).float())
print(f"gaussian reference: {-gauss.log_prob(test).mean():.3f}")
pool = torch.empty(0, dtype=torch.long)
for step in range(1, args.steps + 1):
    if len(pool) < args.batch:
        pool = torch.randperm(len(train), generator=gen)
    ids, pool = pool[:args.batch], pool[args.batch:]
    loss = -model.log_prob(train[ids]).mean()
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
    opt.step()
    sched.step()
    if step % 100 == 0:
        print(f"step {step:5d} batch {loss.item():.3f} train {nll(train):.3f} test {nll(test):.3f}")
