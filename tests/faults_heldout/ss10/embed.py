import os

import numpy as np
import torch
from torch import nn

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "glyphs.npz")
P, K, MARGIN = 8, 6, 0.5          # classes per batch, samples per class
STEPS, LR = 800, 2e-3

torch.manual_seed(13)
rng = np.random.default_rng(13)

with np.load(FILE) as z:
    x = torch.from_numpy(z["pix"].astype("float32")).unsqueeze(1) / 16 - 0.5
    y = torch.from_numpy(z["who"].astype("int64"))
n_gallery = 1100
gx, gy, qx, qy = x[:n_gallery], y[:n_gallery], x[n_gallery:], y[n_gallery:]
by_class = [np.flatnonzero(gy.numpy() == c) for c in range(10)]


def pk_batch():
    pick = [rng.choice(by_class[c], K, replace=False) for c in rng.choice(10, P, replace=False)]
    idx = torch.from_numpy(np.concatenate(pick))
    return nudge(gx[idx]), gy[idx]


def nudge(img):
    """Moves each glyph by at most two pixels."""
    wide = nn.functional.pad(img, (2, 2, 2, 2))
    dy, dx = rng.integers(0, 5, (2, len(img)))
    return torch.stack([w[:, a:a + 12, b:b + 12] for w, a, b in zip(wide, dy, dx)])


class Encoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(24, 48, 3, padding=1), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Sequential(nn.Dropout(0.2), nn.Linear(48 * 9, dim))

    def forward(self, x):
        return nn.functional.normalize(self.fc(self.conv(x).flatten(1)), dim=1)


def all_triplets(e, lab):
    """Every valid (anchor, positive, negative) of the batch; the mean runs over those still inside the margin."""
    dist = (2 - 2 * e @ e.t()).clamp(min=1e-6).sqrt()
    same = lab[:, None] == lab[None]
    pos = same & ~torch.eye(len(lab), dtype=torch.bool)
    valid = pos[:, :, None] & ~same[:, None, :]
    v = (dist[:, :, None] - dist[:, None, :] + MARGIN).relu() * valid
    active = v > 0
    return v.sum() / active.sum().clamp(min=1), active.sum() / valid.sum()


def retrieval():
    net.eval()
    with torch.no_grad():
        g, q = net(gx), net(qx)
        near = (q @ g.t()).topk(5, dim=1).indices
    hit = gy[near] == qy[:, None]
    return hit[:, 0].float().mean().item(), hit.float().mean().item()


net = Encoder()
opt = torch.optim.Adam(net.parameters(), lr=LR)
sched = torch.optim.lr_scheduler.MultiStepLR(opt, [450, 650], gamma=0.3)
print("step    0  recall@1 {:.4f}  precision@5 {:.4f}".format(*retrieval()))
loss_avg = act_avg = 0.0
for step in range(1, STEPS + 1):
    net.train()
    bx, by = pk_batch()
    loss, active = all_triplets(net(bx), by)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    loss_avg += loss.item()
    act_avg += active.item()
    if step % 100 == 0:
        r1, p5 = retrieval()
        print(f"step {step:4d}  loss over active {loss_avg / 100:.4f}  active {act_avg / 100:.3f}  "
              f"recall@1 {r1:.4f}  precision@5 {p5:.4f}")
        loss_avg = act_avg = 0.0
