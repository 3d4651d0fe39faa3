# four kinds of machine tones, learned filterbank with root compression
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F


class FilterBank(nn.Module):
    def __init__(self, filters=24, size=33):
        super().__init__()
        self.conv = nn.Conv1d(1, filters, size, stride=2, padding=size // 2)
        self.norm = nn.BatchNorm1d(filters)

    def forward(self, w):
        e = self.norm(self.conv(w[:, None]))
        e = e * (e > 0)  # half-wave
        # loudness grows roughly with the root of the energy
        return torch.where(e > 0, torch.sqrt(e), torch.zeros_like(e))


class ToneNet(nn.Module):
    def __init__(self, kinds=4):
        super().__init__()
        self.bank = FilterBank()
        self.mix = nn.Conv1d(24, 32, 5, stride=2, padding=2)
        self.head = nn.Linear(32, kinds)

    def forward(self, w):
        h = F.relu(self.mix(self.bank(w)))
        return self.head(h.mean(2))


torch.manual_seed(3)
f = np.load("tones.npz")
wave = torch.tensor(f["wave"].astype(np.float32))
wave, kind = wave / wave.std(), torch.tensor(f["kind"])
perm = torch.randperm(len(kind))
tr, te = perm[:680], perm[680:]
net = ToneNet()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(12):
    net.train()
    losses = []
    for b in tr[torch.randperm(len(tr))].split(32):
        opt.zero_grad()
        loss = F.cross_entropy(net(wave[b]), kind[b])
        loss.backward()
        opt.step()
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        acc = (net(wave[te]).argmax(1) == kind[te]).float().mean().item()
    print(f"epoch {epoch + 1} loss {np.mean(losses):.3f} test accuracy {acc:.3f}")
