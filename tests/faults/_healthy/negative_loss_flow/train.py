# Two moons density with affine coupling layers
import torch
import torch.nn as nn
from sklearn.datasets import make_moons

torch.manual_seed(0)
points, _ = make_moons(3000, noise=0.03, random_state=0)
points = torch.tensor(points, dtype=torch.float32)
points = (points - points.mean(0)) / 4
train, test = points[:2400], points[2400:]


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 2))

    def forward(self, x):
        a, b = x[:, :1], x[:, 1:]
        if self.flip:
            a, b = b, a
        log_scale, shift = self.net(a).chunk(2, dim=1)
        log_scale = 2 * torch.tanh(log_scale)
        b = b * log_scale.exp() + shift
        return torch.cat([b, a] if self.flip else [a, b], dim=1), log_scale.squeeze(1)


class Flow(nn.Module):
    def __init__(self, depth=6):
        super().__init__()
        self.steps = nn.ModuleList(Coupling(bool(i % 2)) for i in range(depth))

    def log_prob(self, x):
        total = 0.0
        for step in self.steps:
            x, log_det = step(x)
            total = total + log_det
        return torch.distributions.Normal(0, 1).log_prob(x).sum(1) + total


flow = Flow()
optimizer = torch.optim.Adam(flow.parameters(), lr=2e-3)
for step in range(1, 601):
    batch = train[torch.randint(len(train), (128,))]
    nll = -flow.log_prob(batch).mean()
    optimizer.zero_grad()
    nll.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    optimizer.step()
    if step % 60 == 0:
        with torch.no_grad():
            print(f"step {step}: train nll {nll.item():.3f} test nll {-flow.log_prob(test).mean().item():.3f}")
