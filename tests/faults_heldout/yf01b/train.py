"""Train a small VAE on the 8x8 digits; settings come from config.toml."""
import tomllib
from pathlib import Path

import torch

from digitvae.averaging import ParamAverager
from digitvae.data import make_loaders
from digitvae.model import DigitVAE, neg_elbo

HERE = Path(__file__).resolve().parent


@torch.no_grad()
def validate(model, loader):
    tot = rec_tot = n = 0
    for (x,) in loader:
        logits, mu, logvar = model(x)
        loss, rec, _ = neg_elbo(logits, x, mu, logvar)
        tot += loss.item() * len(x)
        rec_tot += rec.item() * len(x)
        n += len(x)
    return tot / n, rec_tot / n


def main():
    cfg = tomllib.loads((HERE / "config.toml").read_text())
    run = cfg["run"]
    torch.manual_seed(run["seed"])
    torch.set_num_threads(1)

    train_dl, valid_dl = make_loaders(cfg["data"]["batch_size"], cfg["data"]["holdout"], run["seed"])
    net = DigitVAE(cfg["model"]["hidden"], cfg["model"]["latent"])
    avg = ParamAverager(net, cfg["ema"]["decay"])
    opt = torch.optim.Adam(net.parameters(), lr=cfg["optim"]["lr"])

    for epoch in range(1, run["epochs"] + 1):
        beta = min(1.0, epoch / cfg["optim"]["kl_warmup_epochs"])
        net.train()
        seen = running = 0.0
        for (x,) in train_dl:
            logits, mu, logvar = net(x)
            loss, rec, kl = neg_elbo(logits, x, mu, logvar, beta)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            avg.update(net)
            running += loss.item() * len(x)
            seen += len(x)
        if epoch % run["log_every"] == 0 or epoch == 1:
            val, val_rec = validate(avg.shadow, valid_dl)
            print(f"epoch {epoch:3d} | train -elbo {running / seen:7.3f} | beta {beta:.2f} "
                  f"| val -elbo {val:7.3f} rec {val_rec:7.3f}", flush=True)

    samples = avg.shadow.sample(64)
    print("sample mean intensity %.3f, per-pixel std %.3f" % (samples.mean(), samples.std(0).mean()))
    torch.save(avg.shadow.state_dict(), HERE / "vae_final.pt")


if __name__ == "__main__":
    main()
