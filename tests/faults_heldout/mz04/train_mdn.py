"""Travel time to the airport: a mixture density network, since drivers take either the motorway or the town road."""
import logging
import warnings

import lightning as L
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


def trips(n, seed):
    rng = np.random.default_rng(seed)
    hour = rng.uniform(5, 23, n)
    km = rng.uniform(8, 40, n)
    rain = rng.random(n) < 0.25
    rush = np.exp(-((hour - 8.2) / 1.2) ** 2) + 0.9 * np.exp(-((hour - 17.3) / 1.6) ** 2)
    town = rng.random(n) < 1 / (1 + np.exp(-(2.2 * rush - 1.2 + 0.4 * rain)))
    speed = np.where(town, 34 - 4 * rain, 88 - 45 * rush - 8 * rain)
    minutes = (6 + 60 * km / speed) * rng.lognormal(0, 0.06, n)
    x = np.stack([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24),
                  np.sin(4 * np.pi * hour / 24), np.cos(4 * np.pi * hour / 24), km, rain], 1)
    return x.astype(np.float32), np.log(minutes).astype(np.float32)[:, None]


class MixtureHead(nn.Module):
    """Splits a vector into the pieces of a 1-D Gaussian mixture."""

    def __init__(self, components):
        super().__init__()
        self.components = components

    def forward(self, h):
        logit, mu, raw = h.split(self.components, dim=-1)
        return torch.log_softmax(logit, -1), mu, nn.functional.softplus(raw) + 1e-2


class MixtureNLL(nn.Module):
    def forward(self, log_pi, mu, sigma, y):
        log_n = torch.distributions.Normal(mu, sigma).log_prob(y)
        return -torch.logsumexp(log_pi + log_n, dim=-1).mean()


class TravelTime(L.LightningModule):
    def __init__(self, components=3, hidden=48, lr=3e-3):
        super().__init__()
        self.lr = lr
        self.body = nn.Sequential(nn.Linear(6, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                  nn.Linear(hidden, 3 * components))
        self.head = MixtureHead(components)
        self.nll = MixtureNLL()
        with torch.no_grad():
            self.body[-1].bias[components:2 * components] = torch.linspace(-1, 1, components)

    def forward(self, x):
        return self.head(self.body(x))

    def training_step(self, batch, _):
        x, y = batch
        loss = self.nll(*self(x), y)
        self.log("train", loss, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, _):
        x, y = batch
        log_pi, mu, sigma = self(x)
        self.log("val", self.nll(log_pi, mu, sigma, y))
        mean = (log_pi.exp() * mu).sum(-1, keepdim=True)
        self.log("rmse_mean", (mean - y).pow(2).mean())

    def on_train_epoch_end(self):
        m = self.trainer.callback_metrics
        if self.current_epoch % 3 == 0 or self.current_epoch == self.trainer.max_epochs - 1:
            print(f"epoch {self.current_epoch:2d}  train nll {m['train']:.3f}  val nll {m['val']:.3f}  "
                  f"rmse of mean {m['rmse_mean'].sqrt():.3f}")

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=self.lr)
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, self.trainer.max_epochs)
        return [opt], [sched]


def main(seed=1):
    L.seed_everything(seed, verbose=False)
    xtr, ytr = trips(5000, 10)
    xva, yva = trips(1500, 20)
    mx, sx, my, sy = xtr.mean(0), xtr.std(0), ytr.mean(), ytr.std()
    as_set = lambda x, y: TensorDataset(torch.from_numpy((x - mx) / sx), torch.from_numpy((y - my) / sy))
    base = np.log(np.sqrt(2 * np.pi)) + 0.5
    print(f"nll of one global Gaussian {base:.3f}")
    trainer = L.Trainer(max_epochs=20, accelerator="cpu", logger=False, enable_checkpointing=False,
                        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
    trainer.fit(TravelTime(), DataLoader(as_set(xtr, ytr), batch_size=64, shuffle=True),
                DataLoader(as_set(xva, yva), batch_size=500))


if __name__ == "__main__":
    main()
