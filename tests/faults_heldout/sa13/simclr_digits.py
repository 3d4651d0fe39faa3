"""Self-supervised pre-training on 8x8 digits, followed by a linear probe on few labels."""
import math

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from torch import nn

torch.manual_seed(9)

images = torch.from_numpy(load_digits().images.astype(np.float32) / 16.0).unsqueeze(1)
labels = load_digits().target
perm = torch.randperm(len(images), generator=torch.Generator().manual_seed(9))
train_idx, test_idx = perm[:1397], perm[1397:]
x_train, x_test = images[train_idx], images[test_idx]
y_train, y_test = labels[train_idx.numpy()], labels[test_idx.numpy()]


def augment(x):
    """Small random affine warp, contrast jitter and noise; labels survive all of these."""
    n = len(x)
    angle = (torch.rand(n) - 0.5) * 0.5
    scale = 1 + (torch.rand(n) - 0.5) * 0.3
    shift = (torch.rand(n, 2) - 0.5) * 0.35
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = torch.cos(angle) * scale
    theta[:, 0, 1] = -torch.sin(angle) * scale
    theta[:, 1, 0] = torch.sin(angle) * scale
    theta[:, 1, 1] = torch.cos(angle) * scale
    theta[:, :, 2] = shift
    grid = F.affine_grid(theta, x.shape, align_corners=False)
    x = F.grid_sample(x, grid, align_corners=False)
    x = x * (0.8 + 0.4 * torch.rand(n, 1, 1, 1))
    return x + 0.05 * torch.randn_like(x)


class Encoder(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1, bias=False), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 48, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(48), nn.ReLU(),
        )
        self.fc = nn.Linear(48 * 16, dim)
        self.projector = nn.Sequential(nn.ReLU(), nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 32))

    def represent(self, x):
        return self.fc(self.conv(x).flatten(1))

    def forward(self, x):
        return F.normalize(self.projector(self.represent(x)), dim=1)


def nt_xent(z1, z2, temperature=0.3):
    z = torch.cat([z1, z2])
    n = len(z1)
    sim = z @ z.T / temperature
    sim.fill_diagonal_(-1e9)
    positives = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, positives)


def probe(encoder, n_labels=200):
    encoder.eval()
    with torch.no_grad():
        a, b = encoder.represent(x_train).numpy(), encoder.represent(x_test).numpy()
    clf = LogisticRegression(max_iter=2000, C=0.5).fit(a[:n_labels], y_train[:n_labels])
    encoder.train()
    return clf.score(b, y_test)


EPOCHS, BATCH, PEAK_LR = 16, 128, 2e-3
encoder = Encoder()
steps_per_epoch = len(x_train) // BATCH
total_steps = EPOCHS * steps_per_epoch
optimizer = torch.optim.AdamW(encoder.parameters(), lr=PEAK_LR, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.LambdaLR(
    optimizer,
    lambda s: min(1.0, (s + 1) / 15) * 0.5 * (1 + math.cos(math.pi * s / total_steps)),
)

raw = LogisticRegression(max_iter=2000).fit(x_train.flatten(1)[:200], y_train[:200]).score(x_test.flatten(1), y_test)
print(f"raw pixels, 200 labels: {raw:.3f}   random encoder: {probe(encoder):.3f}   chance loss {math.log(2 * BATCH - 1):.2f}")
for epoch in range(EPOCHS):
    order = torch.randperm(len(x_train))
    running = 0.0
    for k in range(steps_per_epoch):
        batch = x_train[order[k * BATCH:(k + 1) * BATCH]]
        loss = nt_xent(encoder(augment(batch)), encoder(augment(batch)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        running += loss.item()
    if (epoch + 1) % 4 == 0:
        print(f"epoch {epoch + 1:2d}  nt-xent {running / steps_per_epoch:.4f}  probe acc {probe(encoder):.3f}")
