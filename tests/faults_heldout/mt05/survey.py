"""Occupation group from questionnaire answers. Respondents report the group through a
randomised-response device: with probability p the true group, otherwise a uniform draw of the others."""
import math

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 8
GROUPS, ITEMS = 6, 24
EPSILON = 2.0
EPOCHS = 30

rng = np.random.default_rng(SEED)
torch.manual_seed(SEED)

# two response styles per group
protos = rng.normal(0, 0.85, (GROUPS, 2, ITEMS))


def respondents(n):
    g = rng.integers(0, GROUPS, n)
    style = rng.integers(0, 2, n)
    latent = protos[g, style] + rng.normal(0, 0.8, (n, ITEMS))
    likert = np.clip(np.round(2 * latent), -3, 3)
    return likert.astype(np.float32) / 1.8, g


x_train, g_train = respondents(9000)
x_val, g_val = respondents(2000)

# device
p_true = math.exp(EPSILON) / (math.exp(EPSILON) + GROUPS - 1)
shift = rng.integers(1, GROUPS, len(g_train))
reported = np.where(rng.random(len(g_train)) < p_true, g_train, (g_train + shift) % GROUPS)
device = torch.full((GROUPS, GROUPS), (1 - p_true) / (GROUPS - 1))
device.fill_diagonal_(p_true)
print(f"device reports the true group with p = {p_true:.3f}")

net = nn.Sequential(nn.Linear(ITEMS, 64), nn.ReLU(), nn.Dropout(0.2),
                    nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, GROUPS))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.05)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=3e-3, total_steps=EPOCHS * 71)


def reported_nll(logits, r):
    """Likelihood of the reported group: posterior over true groups pushed through the device."""
    q = torch.softmax(logits, dim=1) @ device
    return -torch.log(q.gather(1, r[:, None])).mean()


dl = DataLoader(TensorDataset(torch.from_numpy(x_train), torch.from_numpy(reported)),
                batch_size=128, shuffle=True)
xv, gv = torch.from_numpy(x_val), torch.from_numpy(g_val)
for epoch in range(EPOCHS):
    net.train()
    seen, agree = 0.0, 0
    for x, r in dl:
        logits = net(x)
        loss = reported_nll(logits, r)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        seen += loss.item() * len(x)
        agree += (logits.argmax(1) == r).sum().item()
    net.eval()
    with torch.no_grad():
        acc = (net(xv).argmax(1) == gv).float().mean().item()
    print(f"{epoch + 1:3d}  loss {seen / len(x_train):.4f}  agreement with reports {agree / len(x_train):.3f}  "
          f"accuracy on interviewed sample {acc:.3f}")
