from pathlib import Path
import tomllib

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from sae import SparseAutoencoder

here = Path(__file__).parent
cfg = tomllib.loads((here / "config.toml").read_text())
torch.manual_seed(cfg["train"]["seed"])

blob = np.load(here / cfg["data"]["file"])
fit = torch.from_numpy(blob["fit"].astype(np.float32))
hold = torch.from_numpy(blob["hold"].astype(np.float32))
mu, sd = fit.mean(0), fit.std(0)
fit, hold = (fit - mu) / sd, (hold - mu) / sd

loader = DataLoader(TensorDataset(fit), batch_size=cfg["data"]["batch_size"], shuffle=True)
sae = SparseAutoencoder(fit.shape[1], cfg["model"]["latents"], cfg["model"]["threshold_init"])
opt = torch.optim.Adam(sae.parameters(), lr=cfg["train"]["lr"])
l1 = cfg["train"]["l1"]


def objective(x, out):
    mse = (out.recon - x).pow(2).mean()
    return mse, mse + l1 * out.codes.abs().sum(dim=1).mean() / x.shape[1]


for epoch in range(cfg["train"]["epochs"]):
    sae.train()
    acc = 0.0
    for (x,) in loader:
        out = sae(x)
        _, loss = objective(x, out)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sae.renormalise()
        acc += loss.item()
    sae.eval()
    with torch.no_grad():
        out = sae(hold)
        mse, _ = objective(hold, out)
        explained = 1 - mse / hold.var(dim=0).mean()
    if epoch % 4 == 3:
        print(f"ep {epoch:02d}  objective {acc / len(loader):.4f}  held-out mse {mse:.4f}  explained {explained:.3f}  l0 {(out.codes > 0).float().sum(1).mean():.1f}")
