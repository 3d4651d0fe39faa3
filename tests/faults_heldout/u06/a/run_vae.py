import json
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from vae import ConvVAE, elbo_terms, load_split

here = Path(__file__).resolve().parent
SIGMA = 0.5


@torch.no_grad()
def evaluate(model, images):
    model.eval()
    recon, mu, logvar = model(images)
    rec, kl = elbo_terms(recon, images, mu, logvar, SIGMA)
    mse = (recon - images).pow(2).mean()
    return {"val_elbo": round(-(rec + kl).item(), 3), "val_mse": round(mse.item(), 4)}


def main(epochs=41, batch_size=64, lr=2e-3):
    torch.manual_seed(17)
    train = load_split(here / "arrays" / "train.npy")
    val = load_split(here / "arrays" / "val.npy")
    loader = DataLoader(train, batch_size=batch_size, shuffle=True, drop_last=True)
    model = ConvVAE()
    optim = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        sums = [0.0, 0.0]
        for x in loader:
            recon, mu, logvar = model(x)
            rec, kl = elbo_terms(recon, x, mu, logvar, SIGMA)
            optim.zero_grad()
            (rec + kl).backward()
            optim.step()
            sums[0] += rec.item()
            sums[1] += kl.item()
        if epoch % 4 == 0:
            record = {"epoch": epoch, "rec": round(sums[0] / len(loader), 3), "kl": round(sums[1] / len(loader), 3)}
            record.update(evaluate(model, val))
            print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
