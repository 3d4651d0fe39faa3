import math

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset

SEED = 13
EPOCHS = 14
BATCH = 32


class NoisyDigits(Dataset):
    def __init__(self, images, sigma, seed=None):
        self.clean = torch.tensor(images, dtype=torch.float32).unsqueeze(1)
        self.sigma = sigma
        self.fixed = None
        if seed is not None:
            gen = torch.Generator().manual_seed(seed)
            self.fixed = self.clean + sigma * torch.randn(self.clean.shape, generator=gen)

    def __len__(self):
        return len(self.clean)

    def __getitem__(self, i):
        clean = self.clean[i]
        noisy = self.fixed[i] if self.fixed is not None else clean + self.sigma * torch.randn_like(clean)
        return noisy, clean


class UNetLite(nn.Module):
    def __init__(self, c=24):
        super().__init__()
        self.enc1 = nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.SiLU())
        self.enc2 = nn.Sequential(nn.Conv2d(c, 2 * c, 3, stride=2, padding=1), nn.SiLU())
        self.mid = nn.Sequential(nn.Conv2d(2 * c, 2 * c, 3, padding=1), nn.SiLU())
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.dec = nn.Sequential(nn.Conv2d(2 * c, c, 3, padding=1), nn.SiLU(), nn.Conv2d(c, 1, 1))

    def forward(self, x):
        skip = self.enc1(x)
        h = self.mid(self.enc2(skip))
        return self.dec(torch.cat([skip, self.up(h)], dim=1))


def psnr(model, loader):
    model.eval()
    err, n = 0.0, 0
    with torch.no_grad():
        for noisy, clean in loader:
            err += F.mse_loss(model(noisy), clean, reduction="sum").item()
            n += clean.numel()
    return -10 * math.log10(err / n)


torch.manual_seed(SEED)
images = load_digits().images / 16.0
order = np.random.default_rng(SEED).permutation(len(images))
train_set = NoisyDigits(images[order[:1400]], sigma=0.35)
val_set = NoisyDigits(images[order[1400:]], sigma=0.35, seed=SEED)
train_loader = DataLoader(train_set, batch_size=BATCH, shuffle=True)
val_loader = DataLoader(val_set, batch_size=256)

model = UNetLite()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=4, gamma=0.4)

noisy = torch.cat([n for n, _ in val_loader])
clean = torch.cat([c for _, c in val_loader])
print(f"noisy input: {-10 * math.log10(F.mse_loss(noisy, clean).item()):.2f} dB")

for epoch in range(EPOCHS):
    model.train()
    running = 0.0
    for noisy, clean in train_loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(noisy), clean)
        loss.backward()
        optimizer.step()
        scheduler.step()
        running += loss.item() * len(clean)
    print(f"epoch {epoch:02d}  mse {running / len(train_set):.5f}  val psnr {psnr(model, val_loader):.2f} dB")
