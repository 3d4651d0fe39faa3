"""Density of a particle bunch (m, rad, relative energy) for the tracking code."""
import sys

import numpy as np
import torch

from flow import Flow

epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 25
torch.manual_seed(140)
data = torch.from_numpy(np.load("bunch.npy"))
data = data[torch.randperm(len(data))]
train, val = data[:4000], data[4000:]
flow = Flow(train.mean(0), train.std(0))

gauss = torch.distributions.MultivariateNormal(train.mean(0), torch.cov(train.T))
print(f"one gaussian: {-gauss.log_prob(val).mean():.3f} nats per particle")

opt = torch.optim.Adam(flow.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
for epoch in range(epochs):
    flow.train()
    nll = 0.0
    for xb in train[torch.randperm(len(train))].split(100):
        loss = -flow.log_prob(xb).mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        opt.step()
        nll += loss.item() * len(xb)
    sched.step()
    flow.eval()
    with torch.no_grad():
        v = -flow.log_prob(val).mean().item()
    print(f"epoch {epoch:2d}  nll {nll / len(train):.3f}  held out {v:.3f}")

s = flow.sample(4000)
print("rms of the sample / of the bunch:", (s.std(0) / data.std(0)).tolist())
