import json
from pathlib import Path

import torch

from vae import DigitVAE, elbo_terms, latent_probe
from vae.data import load


def run(cfg):
    torch.manual_seed(cfg["seed"])
    train, val = load(cfg["seed"])
    model = DigitVAE(latent=cfg["latent"], hidden=cfg["hidden"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])

    with torch.no_grad():
        spread = (val[0] - train[0].mean(0)).square().mean().item()
    print(f"pixel variance around the mean image: {spread:.4f}")

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        sums = torch.zeros(2)
        for idx in torch.randperm(len(train[0])).split(cfg["batch_size"]):
            x = train[0][idx]
            logits, mu, logvar = model(x)
            rec, kl = elbo_terms(logits, x, mu, logvar)
            loss = rec + kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            sums += torch.tensor([rec.item(), kl.item()]) * len(idx)
        if epoch % cfg["report_every"] == 0:
            model.eval()
            with torch.no_grad():
                mse = (model(val[0])[0].sigmoid() - val[0]).square().mean().item()
            rec, kl = (sums / len(train[0])).tolist()
            print(f"epoch {epoch:3d} | rec {rec:.4f} | kl {kl:.4f} | val pixel mse {mse:.4f} | 5-nn on z {latent_probe(model, train, val):.3f}")


if __name__ == "__main__":
    run(json.loads((Path(__file__).parent / "config.json").read_text()))
