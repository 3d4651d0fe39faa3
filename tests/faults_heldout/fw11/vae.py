"""Gaussian beta-VAE on handwritten digits with a short KL ramp."""
import argparse
import logging
import math
import warnings

import lightning as L
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.distributions import Normal, kl_divergence
from torch.utils.data import DataLoader, TensorDataset, random_split

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class DigitsVAE(L.LightningModule):
    def __init__(self, latent: int = 8, hidden: int = 128, ramp: int = 200, max_lr: float = 4e-3):
        super().__init__()
        self.save_hyperparameters()
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(64, hidden), nn.SiLU(),
                                     nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2 * latent))
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.SiLU(),
                                     nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 64))
        self.log_sigma = nn.Parameter(torch.zeros(()))

    def posterior(self, x):
        mu, raw = self.encoder(x).chunk(2, dim=-1)
        return Normal(mu, nn.functional.softplus(raw) + 1e-3)

    def terms(self, x):
        q = self.posterior(x)
        z = q.rsample()
        sigma = self.log_sigma.clamp(-3.0, 1.0).exp()
        rec = -Normal(self.decoder(z), sigma).log_prob(x.flatten(1)).sum(-1).mean()
        kl = kl_divergence(q, Normal(torch.zeros_like(q.loc), torch.ones_like(q.scale))).sum(-1).mean()
        return rec, kl

    def training_step(self, batch, _):
        (x,) = batch
        rec, kl = self.terms(x)
        beta = min(1.0, (self.global_step + 1) / self.hparams.ramp)
        loss = rec + beta * kl
        self.log_dict({"train_neg_elbo": rec + kl, "train_kl": kl}, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, _):
        (x,) = batch
        rec, kl = self.terms(x)
        self.log_dict({"val_neg_elbo": rec + kl, "val_rec": rec, "val_kl": kl})

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=1e-3)
        sched = torch.optim.lr_scheduler.OneCycleLR(
            opt, max_lr=self.hparams.max_lr, total_steps=int(self.trainer.estimated_stepping_batches))
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sched, "interval": "step"}}


class Lines(L.Callback):
    def on_train_epoch_end(self, trainer, pl_module):
        if trainer.current_epoch % 4 == 3:
            m = trainer.callback_metrics
            print(f"{trainer.current_epoch + 1:3d}  train -elbo {m['train_neg_elbo']:8.3f}  "
                  f"val -elbo {m['val_neg_elbo']:8.3f}  (rec {m['val_rec']:.2f}, kl {m['val_kl']:.2f})  "
                  f"sigma {pl_module.log_sigma.exp():.3f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--latent", type=int, default=8)
    ap.add_argument("--epochs", type=int, default=24)
    args = ap.parse_args()
    L.seed_everything(31, verbose=False)

    images = torch.tensor(load_digits().images, dtype=torch.float32) / 16.0
    full = TensorDataset(images)
    n_val = math.ceil(0.15 * len(full))
    train, val = random_split(full, [len(full) - n_val, n_val])
    trainer = L.Trainer(max_epochs=args.epochs, accelerator="cpu", logger=False, enable_checkpointing=False,
                        enable_progress_bar=False, enable_model_summary=False, gradient_clip_val=50.0,
                        callbacks=[Lines()])
    model = DigitsVAE(latent=args.latent)
    trainer.fit(model, DataLoader(train, 32, shuffle=True, drop_last=True), DataLoader(val, 270))

    model.eval()
    with torch.no_grad():
        grid = model.decoder(torch.randn(4, args.latent)).view(4, 8, 8)
    for row in grid.permute(1, 0, 2).reshape(8, -1):
        print("".join(" .:+#@"[int(min(max(v, 0), 0.999) * 6)] for v in row.tolist()))


if __name__ == "__main__":
    main()
