# SimCLR on the 8x8 digits, followed by a logistic-regression probe with 5 labels per class.
import math
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

SEED, EPOCHS, BATCH, TEMP = 0, 22, 256, 0.3
torch.manual_seed(SEED)
np.random.seed(SEED)

images, labels = load_digits(return_X_y=True)
images = (images.reshape(-1, 1, 8, 8) / 16.0).astype("float32")
x_tr, x_te, y_tr, y_te = train_test_split(images, labels, test_size=0.25, stratify=labels, random_state=SEED)
x_tr, x_te = torch.from_numpy(x_tr), torch.from_numpy(x_te)


def augment(x):
    n = x.shape[0]
    ang = (torch.rand(n) - 0.5) * (30 * math.pi / 180)
    scale = 1 + (torch.rand(n) - 0.5) * 0.3
    shift = (torch.rand(n, 2) - 0.5) * 0.5
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = ang.cos() * scale
    theta[:, 0, 1] = -ang.sin() * scale
    theta[:, 1, 0] = ang.sin() * scale
    theta[:, 1, 1] = ang.cos() * scale
    theta[:, :, 2] = shift
    x = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False)
    gain = 1 + (torch.rand(n, 1, 1, 1) - 0.5) * 0.6
    return (x * gain + 0.06 * torch.randn_like(x)).clamp(0, 1.3)


class Encoder(nn.Module):
    def __init__(self, dim=128):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1, bias=False), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 48, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(48), nn.ReLU(),
            nn.Conv2d(48, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
            nn.Flatten(), nn.Linear(64 * 16, dim), nn.ReLU())

    def forward(self, x):
        return self.net(x)


encoder = Encoder()
projector = nn.Sequential(nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 48))


def nt_xent(z1, z2, t):
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    n = z1.shape[0]
    sim = z @ z.T / t
    sim.fill_diagonal_(float("-inf"))
    partner = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, partner)


def probe(per_class=5):
    encoder.eval()
    with torch.no_grad():
        f_tr, f_te = encoder(x_tr).numpy(), encoder(x_te).numpy()
    accs = []
    for s in range(5):
        rng = np.random.default_rng(s)
        pick = np.concatenate([rng.choice(np.where(y_tr == c)[0], per_class, replace=False) for c in range(10)])
        mu, sd = f_tr.mean(0), f_tr.std(0) + 1e-6
        clf = LogisticRegression(C=0.1, max_iter=300).fit((f_tr[pick] - mu) / sd, y_tr[pick])
        accs.append(clf.score((f_te - mu) / sd, y_te))
    return float(np.mean(accs))


print(f"probe, untrained encoder: {probe():.3f}")
steps = EPOCHS * (len(x_tr) // BATCH)
opt = torch.optim.AdamW(list(encoder.parameters()) + list(projector.parameters()), lr=3e-3, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=3e-3, total_steps=steps, pct_start=0.15)

for epoch in range(EPOCHS):
    encoder.train()
    projector.train()
    order = torch.randperm(len(x_tr))
    total = 0.0
    nb = len(x_tr) // BATCH
    for b in range(nb):
        xb = x_tr[order[b * BATCH:(b + 1) * BATCH]]
        loss = nt_xent(projector(encoder(augment(xb))), projector(encoder(augment(xb))), TEMP)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item()
    if epoch % 3 == 0 or epoch == EPOCHS - 1:
        print(f"epoch {epoch:2d} nt-xent {total / nb:.4f} (chance {math.log(2 * BATCH - 1):.2f}) lr {sched.get_last_lr()[0]:.5f}")

print(f"probe, pre-trained encoder: {probe():.3f}")
