import tomllib
from pathlib import Path

import torch
from sklearn.datasets import load_digits

from vae import VAE, terms

cfg = tomllib.loads((Path(__file__).parent / "vae.toml").read_text())
torch.manual_seed(cfg["train"]["seed"])

x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
x = x[torch.randperm(len(x))]
x_train, x_val = x[:1500], x[1500:]

model = VAE(**cfg["model"])
opt = torch.optim.AdamW(model.parameters(), lr=cfg["train"]["lr"])
w = cfg["loss"]

for epoch in range(cfg["train"]["epochs"]):
    model.train()
    for batch in torch.utils.data.DataLoader(x_train, batch_size=cfg["train"]["batch_size"], shuffle=True):
        rec, kl = terms(batch, *model(batch))
        loss = w["reconstruction"] * rec + w["kl"] * kl
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        out, mu, logvar = model(x_val)
        vrec, vkl = terms(x_val, out, mu, logvar)
        mse = (out.sigmoid() - x_val).pow(2).mean()
    print(f"{epoch:3d} train {loss.item():8.3f} | val rec {vrec:.3f} kl {vkl:.3f} mse {mse:.4f}")
