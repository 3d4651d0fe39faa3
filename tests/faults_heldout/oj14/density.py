"""Density of detector tracks."""
import math

import numpy as np
import torch

from flow import Flow

torch.manual_seed(21)
x = torch.tensor(np.load("tracks.npy").astype(np.float32))
x = x[torch.randperm(len(x))]
x = (x - x[:3400].mean(0)) / x[:3400].std(0)
train, held = x[:3400], x[3400:]

flow = Flow()
EPOCHS, BATCH, WARM = 20, 100, 60
steps = EPOCHS * (len(train) // BATCH)
opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: (s + 1) / WARM if s < WARM else 0.5 * (1 + math.cos(math.pi * (s - WARM) / (steps - WARM))))

for epoch in range(1, EPOCHS + 1):
    flow.train()
    nll = []
    for idx in torch.randperm(len(train)).split(BATCH):
        loss = -flow.log_prob(train[idx]).mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        opt.step()
        sched.step()
        nll.append(loss.item())
    flow.eval()
    with torch.no_grad():
        h = -flow.log_prob(held).mean().item()
    print(f"epoch {epoch:2d}  nll {np.mean(nll):+.3f}  held-out {h:+.3f}  lr {sched.get_last_lr()[0]:.5f}")
