import numpy as np
import torch

from vae import SpectrumVAE

torch.manual_seed(21)
data = torch.from_numpy(np.load("spectra.npy").astype(np.float32))
train, held = data[:1300], data[1300:]
mean, std = train.mean(), train.std()
train, held = (train - mean) / std, (held - mean) / std

vae = SpectrumVAE(sigma=0.3)
opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
WARM = 15      # epochs of KL annealing
for epoch in range(1, 71):
    vae.train()
    beta = min(1.0, epoch / WARM)
    total = kls = 0.0
    for idx in torch.randperm(len(train)).split(64):
        bound, kl = vae.elbo(train[idx], beta)
        opt.zero_grad()
        (-bound).backward()
        opt.step()
        total += bound.item() * len(idx)
        kls += kl.item() * len(idx)
    if epoch % 10 == 0:
        vae.eval()
        rec = (vae.reconstruct(held) - held).pow(2).mean().item()
        print(f"epoch {epoch:3d} | elbo {total / len(train):9.3f} | kl {kls / len(train):6.3f} | held-out recon mse {rec:.4f}")
