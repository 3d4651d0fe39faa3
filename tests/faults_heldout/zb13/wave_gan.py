import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
rng = np.random.default_rng(0)
L, Z = 32, 12


def real_waves(n):
    """Decaying oscillations as recorded by a plucked-string pick-up."""
    t = np.arange(L) / L
    freq = rng.uniform(2.0, 4.0, (n, 1))
    decay = rng.uniform(1.0, 3.0, (n, 1))
    phase = rng.uniform(-0.5, 0.5, (n, 1))
    w = np.exp(-decay * t) * np.cos(2 * np.pi * freq * t + phase) + 0.02 * rng.standard_normal((n, L))
    return torch.from_numpy(w.astype(np.float32))


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(Z, 128), nn.LeakyReLU(0.2), nn.Linear(128, 128), nn.LeakyReLU(0.2),
                                 nn.Linear(128, L), nn.Tanh())

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(L, 128), nn.LeakyReLU(0.2), nn.Dropout(0.2),
                                 nn.Linear(128, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


class Trainer:
    def __init__(self, steps=1000, batch=128):
        self.g, self.d = Generator(), Discriminator()
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=1e-3, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=5e-4, betas=(0.5, 0.999))
        self.bce = nn.BCEWithLogitsLoss()
        self.steps, self.batch = steps, batch
        self.reference = real_waves(1000)

    def step(self):
        ones, zeros = torch.ones(self.batch), torch.zeros(self.batch)
        real = real_waves(self.batch)
        fake = self.g(torch.randn(self.batch, Z)).detach()

        self.opt_d.zero_grad()
        loss_d = self.bce(self.d(real), 0.9 * ones) + self.bce(self.d(fake), zeros)
        loss_d.backward()
        self.opt_d.step()

        self.opt_g.zero_grad()
        loss_g = self.bce(self.d(fake), ones)
        loss_g.backward()
        self.opt_g.step()
        return loss_d.item(), loss_g.item()

    @torch.no_grad()
    def quality(self):
        self.g.eval()
        s = self.g(torch.randn(1000, Z))
        self.g.train()
        return energy_distance(s, self.reference)

    def fit(self):
        for i in range(self.steps):
            ld, lg = self.step()
            if i % 100 == 0 or i == self.steps - 1:
                print(f"step {i:5d} d {ld:.4f} g {lg:.4f} energy distance {self.quality():.4f}")


if __name__ == "__main__":
    Trainer().fit()
