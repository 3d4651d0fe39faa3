import configparser
import os

import torch

from spectra import SpectraSet
from vae import VAE, elbo_terms


class Experiment:
    def __init__(self, ini):
        here = os.path.dirname(os.path.abspath(__file__))
        cp = configparser.ConfigParser()
        cp.read(os.path.join(here, ini))
        self.cfg = cp
        seed = cp.getint("run", "seed")
        torch.manual_seed(seed)
        self.rng = torch.Generator().manual_seed(seed)
        self.data = SpectraSet(cp.getint("data", "train"), cp.getint("data", "val"),
                               cp.getint("data", "bands"), seed)
        self.model = VAE(cp.getint("data", "bands"), cp.getint("model", "hidden"), cp.getint("model", "latent"))
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cp.getfloat("optim", "lr"))
        self.kl_weight = cp.getfloat("loss", "kl_weight")
        self.kl_warmup = cp.getint("loss", "kl_warmup_epochs")

    def beta(self, epoch):
        return self.kl_weight * min(1.0, (epoch + 1) / self.kl_warmup)

    def train_epoch(self, epoch):
        self.model.train()
        rec_sum = kl_sum = 0.0
        n = 0
        for x in self.data.batches(self.cfg.getint("optim", "batch"), self.rng):
            rec, kl = elbo_terms(*self._pass(x))
            loss = rec + self.beta(epoch) * kl
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            rec_sum += rec.item()
            kl_sum += kl.item()
            n += 1
        return rec_sum / n, kl_sum / n

    def _pass(self, x):
        recon, mu, logvar = self.model(x)
        return recon, x, mu, logvar

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        rec, kl = elbo_terms(*self._pass(self.data.val))
        return rec.item(), kl.item()

    def run(self):
        epochs = self.cfg.getint("optim", "epochs")
        for epoch in range(epochs):
            rec, kl = self.train_epoch(epoch)
            if (epoch + 1) % 5 == 0:
                vrec, vkl = self.evaluate()
                print("epoch %3d  train rec %.4f kl %.3f   val rec %.4f kl %.3f" % (epoch + 1, rec, kl, vrec, vkl))


if __name__ == "__main__":
    Experiment("vae.ini").run()
