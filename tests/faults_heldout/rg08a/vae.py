import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

DIR = Path(__file__).parent
CONF = tomllib.loads((DIR / "vae.toml").read_text())


class Decoder(nn.Sequential):
    def __init__(self, z: int, width: int, bands: int):
        super().__init__(nn.Linear(z, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, bands))


class TimbreVAE(nn.Module):
    """Latent-variable model of normalised mel-band envelopes."""

    def __init__(self, bands: int, width: int, z: int):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(bands, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.mu = nn.Linear(width, z)
        self.logvar = nn.Linear(width, z)
        self.decoder = Decoder(z, width, bands)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        h = self.trunk(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.decoder(z), mu, logvar


def terms(x: Tensor, rec: Tensor, mu: Tensor, logvar: Tensor) -> tuple[Tensor, Tensor]:
    recon = F.mse_loss(rec, x)
    kl = 0.5 * (mu.square() + logvar.exp() - 1.0 - logvar).sum(1).mean()
    return recon, kl


def load() -> tuple[Tensor, Tensor]:
    x = torch.from_numpy(np.load(DIR / CONF["data"]["file"]).astype(np.float32))
    n = int(CONF["data"]["train_fraction"] * len(x))
    lo, hi = x[:n], x[n:]
    m, s = lo.mean(0), lo.std(0)
    return (lo - m) / s, (hi - m) / s


def main() -> None:
    opt_conf, loss_conf = CONF["optim"], CONF["loss"]
    torch.manual_seed(opt_conf["seed"])
    train, test = load()
    model = TimbreVAE(train.shape[1], **CONF["model"])
    opt = torch.optim.AdamW(model.parameters(), lr=opt_conf["lr"], weight_decay=1e-4)
    bs = opt_conf["batch"]
    total = opt_conf["epochs"] * (len(train) // bs)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, total)
    for epoch in range(1, opt_conf["epochs"] + 1):
        model.train()
        sums = torch.zeros(2)
        perm = torch.randperm(len(train))
        for k in range(len(train) // bs):
            x = train[perm[k * bs:(k + 1) * bs]]
            recon, kl = terms(x, *model(x))
            opt.zero_grad()
            (recon + loss_conf["kl_weight"] * kl).backward()
            opt.step()
            sched.step()
            sums += torch.stack([recon.detach(), kl.detach()])
        if epoch % 4 == 0:
            model.eval()
            with torch.no_grad():
                r, k_ = terms(test, *model(test))
            tr = sums / (len(train) // bs)
            print(f"{epoch:3d}: train recon {tr[0]:.4f} kl {tr[1]:.3f}   test recon {r:.4f} kl {k_:.3f}")


if __name__ == "__main__":
    main()
