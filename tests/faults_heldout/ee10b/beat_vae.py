import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn as nn
from sklearn.linear_model import LogisticRegression

here = Path(__file__).parent
opt = json.loads((here / "vae.json").read_text(), object_hook=lambda d: SimpleNamespace(**d))


class BeatVAE(nn.Module):
    def __init__(self, latent, width):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(1, width, 5, 2, 2), nn.ELU(),
            nn.Conv1d(width, 2 * width, 5, 2, 2), nn.ELU(),
            nn.Conv1d(2 * width, 2 * width, 5, 2, 2), nn.ELU(), nn.Flatten())
        self.mu = nn.Linear(18 * width, latent)
        self.logvar = nn.Linear(18 * width, latent)
        self.up = nn.Linear(latent, 18 * width)
        self.decoder = nn.Sequential(
            nn.Unflatten(1, (2 * width, 9)), nn.ELU(),
            nn.ConvTranspose1d(2 * width, 2 * width, 4, 2, 1), nn.ELU(),
            nn.ConvTranspose1d(2 * width, width, 4, 2, 1), nn.ELU(),
            nn.ConvTranspose1d(width, 1, 4, 2, 1))

    def encode(self, x):
        h = self.encoder(x.unsqueeze(1))
        return self.mu(h), self.logvar(h)

    def decode(self, z):
        return self.decoder(self.up(z)).squeeze(1)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.decode(z), mu, logvar


def over_dims(t, how):
    return getattr(t, how)(dim=1)


def terms(model, x):
    rec, mu, logvar = model(x)
    nll = 0.5 * ((x - rec) / opt.objective.sigma) ** 2
    kl = 0.5 * (mu ** 2 + logvar.exp() - logvar - 1)
    return over_dims(nll, opt.objective.likelihood).mean(), over_dims(kl, opt.objective.divergence).mean()


def report(model, train, test, kinds_train, kinds_test):
    model.eval()
    with torch.no_grad():
        mu_tr, mu_te = model.encode(train)[0], model.encode(test)[0]
        mse = (model.decode(mu_te) - test).pow(2).mean().item()
    probe = LogisticRegression(max_iter=400, class_weight="balanced").fit(mu_tr.numpy(), kinds_train)
    model.train()
    return mse, probe.score(mu_te.numpy(), kinds_test)


torch.manual_seed(opt.seed)
z = np.load(here / "beats.npz")
beats, kinds = torch.from_numpy(z["beats"].astype(np.float32)), z["kind"]
train, test = beats[:1900], beats[1900:]
model = BeatVAE(opt.net.latent, opt.net.width)
adam = torch.optim.Adam(model.parameters(), lr=opt.lr)
print(f"variance of the test beats {(test - train.mean(0)).pow(2).mean():.4f}, "
      f"largest class {np.bincount(kinds[1900:]).max() / len(test):.3f}")
for epoch in range(1, opt.epochs + 1):
    logged = []
    for idx in torch.randperm(len(train)).split(opt.batch):
        nll, kl = terms(model, train[idx])
        loss = nll + kl
        adam.zero_grad()
        loss.backward()
        adam.step()
        logged.append((nll.item(), kl.item()))
    if epoch % 3 == 0:
        nll, kl = np.mean(logged, 0)
        mse, acc = report(model, train, test, kinds[:1900], kinds[1900:])
        print(f"epoch {epoch:2d}: nll {nll:8.3f}  kl {kl:7.3f}  test mse {mse:.4f}  probe accuracy {acc:.3f}")
