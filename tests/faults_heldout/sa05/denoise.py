# Denoising autoencoder for scanned 8x8 digits.
from dataclasses import asdict, dataclass

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn


@dataclass
class Config:
    noise_std: float = 0.35
    latent: int = 24
    width: int = 128
    batch_size: int = 32
    epochs: int = 35
    learning_rate: float = 2e-6
    betas: tuple = (0.9, 0.999)
    seed: int = 17


cfg = Config()
print(asdict(cfg))
torch.manual_seed(cfg.seed)
np.random.seed(cfg.seed)

images = load_digits().images.astype("float32") / 16.0
perm = np.random.permutation(len(images))
train = torch.from_numpy(images[perm[:1400]]).flatten(1)
test = torch.from_numpy(images[perm[1400:]]).flatten(1)
test_noisy = test + cfg.noise_std * torch.randn_like(test)


class DAE(nn.Module):
    def __init__(self, width, latent):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(64, width),
            nn.LeakyReLU(0.1),
            nn.Linear(width, latent),
        )
        self.decoder = nn.Sequential(
            nn.Linear(latent, width),
            nn.LeakyReLU(0.1),
            nn.Linear(width, 64),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))


def psnr(a, b):
    return (10 * torch.log10(1.0 / (a - b).pow(2).mean())).item()


net = DAE(cfg.width, cfg.latent)
mse = nn.MSELoss()
optimizer = torch.optim.Adam(net.parameters(), lr=cfg.learning_rate, betas=cfg.betas)

mean_image_psnr = psnr(train.mean(0, keepdim=True).expand_as(test), test)
print(f"noisy input: {psnr(test_noisy, test):.2f} dB, mean image: {mean_image_psnr:.2f} dB")

for epoch in range(cfg.epochs):
    net.train()
    order = torch.randperm(len(train))
    losses = []
    for start in range(0, len(train), cfg.batch_size):
        clean = train[order[start:start + cfg.batch_size]]
        noisy = clean + cfg.noise_std * torch.randn_like(clean)
        loss = mse(net(noisy), clean)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

    net.eval()
    with torch.no_grad():
        restored = net(test_noisy)
    print(f"epoch {epoch + 1:3d}  mse {np.mean(losses):.5f}  test psnr {psnr(restored, test):.2f} dB")
