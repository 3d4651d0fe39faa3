"""Shape of a lidar object from its points. Every scan has its own number of points, so the scans go one by one."""
import random

import numpy as np
import torch
from torch import nn

EPOCHS, ACCUMULATE, PEAK, SMOOTHING = 10, 8, 1e-2, 0.1

torch.manual_seed(10)
random.seed(10)


class Residual(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.a, self.b = nn.Linear(2 * d, d), nn.Linear(d, d)
        nn.init.zeros_(self.b.weight)
        nn.init.zeros_(self.b.bias)

    def forward(self, h):
        z = self.norm(h)
        z = torch.cat([z, z.amax(0, keepdim=True).expand_as(z)], dim=1)
        return h + self.b(torch.relu(self.a(z)))


class PointNet(nn.Module):
    def __init__(self, d=48, n_shapes=5):
        super().__init__()
        self.lift = nn.Sequential(nn.Linear(4, d), nn.ReLU(), nn.Linear(d, d))
        self.blocks = nn.Sequential(Residual(d), Residual(d))
        self.head = nn.Sequential(nn.LayerNorm(2 * d), nn.Linear(2 * d, n_shapes))

    def forward(self, points):
        p = points - points.mean(0)
        p = p / p.norm(dim=1).mean()
        h = self.blocks(self.lift(torch.cat([p, p.norm(dim=1, keepdim=True)], 1)))
        return self.head(torch.cat([h.mean(0), h.amax(0)]))


def spin(points):
    t = random.uniform(0, 2 * np.pi)
    c, s = np.cos(t), np.sin(t)
    turn = torch.tensor([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]], dtype=torch.float32)
    return points @ turn


z = np.load("scans.npz")
clouds = torch.from_numpy(z["points"].astype(np.float32)).split(z["count"].tolist())
shapes = torch.from_numpy(z["shape"])
train, val, test = range(0, 600), range(600, 740), range(740, 900)

net = PointNet()
opt = torch.optim.AdamW(net.parameters(), lr=PEAK / 25, weight_decay=0.02)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, PEAK, total_steps=EPOCHS * (len(train) // ACCUMULATE), pct_start=0.3)
smooth = nn.CrossEntropyLoss(label_smoothing=SMOOTHING)


def evaluate(ids):
    net.eval()
    with torch.no_grad():
        out = torch.stack([net(clouds[i]) for i in ids])
        y = shapes[list(ids)]
        return smooth(out, y).item(), (out.argmax(1) == y).float().mean().item()


for epoch in range(EPOCHS):
    net.train()
    order = random.sample(train, len(train))
    total = 0.0
    for k, i in enumerate(order, 1):
        loss = smooth(net(spin(clouds[i])), shapes[i])
        (loss / ACCUMULATE).backward()
        total += loss.item()
        if k % ACCUMULATE == 0:
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            opt.step()
            sched.step()
            for p in net.parameters():
                p.grad = None
    print(f"epoch {epoch + 1:2d}  train {total / len(order):.3f}  val {{:.3f}} / {{:.3f}}  lr {sched.get_last_lr()[0]:.1e}".format(*evaluate(val)))
print("test loss {:.3f}, accuracy {:.3f}".format(*evaluate(test)))
