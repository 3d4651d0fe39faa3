import tomllib
from pathlib import Path

import numpy as np
import torch

from vae.nets import VAE
from vae.objective import terms

root = Path(__file__).resolve().parent


def validate(model, x):
    model.eval()
    with torch.no_grad():
        recon, mu, logvar = model(x)
        rec, kl = terms(recon, x, mu, logvar)
        explained = 1 - ((torch.sigmoid(recon) - x) ** 2).sum() / ((x - x.mean(0)) ** 2).sum()
    model.train()
    return rec.item(), kl.item(), explained.item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    cfg = tomllib.loads((root / "vae.toml").read_text())
    torch.manual_seed(cfg["run"]["seed"])
    images = torch.from_numpy(np.load(root / "images.npy").astype(np.float32)).flatten(1) / 16.0
    n_val = cfg["run"]["n_val"]
    val, train = images[:n_val], images[n_val:]
    model = VAE(images.shape[1], **cfg["model"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["run"]["lr"])
    w_rec, w_kl = cfg["loss"]["reconstruction"], cfg["loss"]["kl"]
    for epoch in range(1, cfg["run"]["epochs"] + 1):
        sums = np.zeros(3)
        for idx in torch.randperm(len(train)).split(cfg["run"]["batch"]):
            recon, mu, logvar = model(train[idx])
            rec, kl = terms(recon, train[idx], mu, logvar)
            loss = w_rec * rec + w_kl * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            sums += np.array([loss.item(), rec.item(), kl.item()]) * len(idx)
        if epoch % 3 == 0 or epoch == 1:
            t = sums / len(train)
            vr, vk, ex = validate(model, val)
            print(f"epoch {epoch:2d} total {t[0]:.3f} rec {t[1]:.3f} kl {t[2]:.3f} | val rec {vr:.3f} kl {vk:.3f} explained {ex:.3f}")
    torch.save(model.state_dict(), root / "vae.pt")
