"""Chute decision for the parcel sorter: a small head on the digit backbone of the label reader."""
import numpy as np
import torch
from torch import nn

from backbone import Backbone


class Sorter(nn.Module):
    def __init__(self, backbone, n_chutes):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, n_chutes))
        self.backbone.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()
        return self

    def forward(self, x):
        with torch.no_grad():
            f = self.backbone(x)
        return self.head(f)


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        z = net(x)
    return nn.functional.cross_entropy(z, y).item(), (z.argmax(1) == y).float().mean().item()


torch.manual_seed(8)
z = np.load("parcels.npz")
x = torch.tensor(z["img"] / 16.0 - 0.3, dtype=torch.float32).view(-1, 1, 8, 8)
y = torch.tensor(z["chute"].astype(np.int64))
perm = torch.randperm(len(y))
va, tr = perm[:250], perm[250:]
bb = Backbone()
bb.load_state_dict(torch.load("backbone.pt", weights_only=True), strict=True)
net = Sorter(bb, 3)
opt = torch.optim.Adam(net.head.parameters(), lr=2e-3, weight_decay=1e-4)
EPOCHS = 20
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
for epoch in range(EPOCHS):
    net.train()
    total = 0.0
    for ids in tr[torch.randperm(len(tr))].split(16):
        loss = nn.functional.cross_entropy(net(x[ids]), y[ids])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(ids)
    sched.step()
    if epoch % 4 == 3:
        l, a = accuracy(net, x[va], y[va])
        print(f"epoch {epoch + 1}: train {total / len(tr):.4f}, validation {l:.4f}, accuracy {a:.3f}")
