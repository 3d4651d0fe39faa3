"""Inverse kinematics of a two-link arm with a mixture density network (two elbow solutions per target)."""
import math

import torch
from torch import nn
from torch.distributions import Categorical, Independent, MixtureSameFamily, Normal

torch.manual_seed(180)
K, STEPS, BATCH = 5, 2500, 128


def arm(q):
    a, b = q[:, 0], q[:, 0] + q[:, 1]
    return torch.stack([a.cos() + 0.8 * b.cos(), a.sin() + 0.8 * b.sin()], 1)


def sample(n):
    shoulder = torch.rand(n) * math.pi / 2
    elbow = (torch.rand(n) * 1.6 + 0.6) * torch.where(torch.rand(n) < 0.5, -1.0, 1.0)
    q = torch.stack([shoulder, elbow], 1)
    return arm(q) + 0.02 * torch.randn(n, 2), q


class MDN(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(2, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.logit = nn.Linear(hidden, K)
        self.loc = nn.Linear(hidden, 2 * K)
        self.scale = nn.Linear(hidden, 2 * K)
        with torch.no_grad():
            self.loc.bias.copy_(torch.randn(2 * K))

    def forward(self, x):
        h = self.trunk(x)
        loc = self.loc(h).view(-1, K, 2)
        scale = nn.functional.softplus(self.scale(h)).view(-1, K, 2) + 1e-2
        return MixtureSameFamily(Categorical(logits=self.logit(h)), Independent(Normal(loc, scale), 1))


train_x, train_q = sample(6000)
test_x, test_q = sample(1500)
model = MDN()
opt = torch.optim.Adam(model.parameters(), lr=3e-3, betas=(0.9, 0.98))
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS, eta_min=1e-5)
avg = 0.0
for step in range(1, STEPS + 1):
    idx = torch.randint(len(train_x), (BATCH,))
    nll = -model(train_x[idx]).log_prob(train_q[idx]).mean()
    opt.zero_grad()
    nll.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    opt.step()
    sched.step()
    avg += (nll.item() - avg) / min(step, 100)
    if step % 250 == 0:
        with torch.no_grad():
            d = model(test_x)
            test_nll = -d.log_prob(test_q).mean()
            reach = (arm(d.sample()) - test_x).norm(dim=1).median()
        print(f"step {step:5d}  nll {avg:+.3f}  test nll {test_nll:+.3f}  median reach error {reach:.3f}")
