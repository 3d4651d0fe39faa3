import tomllib
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.nn import functional as F

from vae import ConvVAE

cfg = tomllib.loads((Path(__file__).parent / "vae.toml").read_text())


def objective(model, x):
    recon, mu, logvar = model(x)
    rec = F.mse_loss(recon, x)
    kl = -0.5 * (1 + logvar - mu.square() - logvar.exp()).sum(dim=1).mean()
    return rec + cfg["loss"]["kl_weight"] * kl, rec, kl


def main():
    torch.manual_seed(cfg["run"]["seed"])
    images = torch.tensor(load_digits().images, dtype=torch.float32).unsqueeze(1) / 16
    fit, held = train_test_split(images, test_size=0.2, random_state=cfg["run"]["seed"])

    model = ConvVAE(cfg["model"]["latent"], cfg["model"]["channels"])
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["optim"]["lr"])
    epochs = cfg["run"]["epochs"]
    decay = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)

    for epoch in range(epochs):
        model.train()
        sums = torch.zeros(3)
        batches = torch.randperm(len(fit)).split(cfg["optim"]["batch_size"])
        for ids in batches:
            loss, rec, kl = objective(model, fit[ids])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += torch.stack([loss, rec, kl]).detach()
        decay.step()
        if epoch % 5 == 4:
            model.eval()
            with torch.no_grad():
                val_loss, val_rec, _ = objective(model, held)
            total, rec, kl = (sums / len(batches)).tolist()
            print(f"epoch {epoch + 1:3d} | loss {total:.4f} rec {rec:.4f} kl {kl:.3f} | "
                  f"held-out {val_loss:.4f} rec {val_rec:.4f}")

    model.eval()
    with torch.no_grad():
        samples = model.decode(torch.randn(64, cfg["model"]["latent"]))
    print(f"samples: pixel mean {samples.mean():.3f}, spread between samples {samples.std(0).mean():.3f} "
          f"(data {held.mean():.3f}, {held.std(0).mean():.3f})")


if __name__ == "__main__":
    main()
