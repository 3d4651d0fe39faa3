"""RealNVP density model of two sensor channels; the loss is the negative log-likelihood in nats."""
import math

import numpy as np
import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, flip, hidden=48):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 2))
        # identity map at the start
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def _params(self, a):
        s, t = self.net(a).chunk(2, dim=1)
        return 2.0 * torch.tanh(s / 2.0), t

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self._params(a)
        b = b * s.exp() + t
        return torch.cat([b, a] if self.flip else [a, b], dim=1), s.squeeze(1)

    def inverse(self, z):
        a, b = z.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self._params(a)
        b = (b - t) * (-s).exp()
        return torch.cat([b, a] if self.flip else [a, b], dim=1)


class Flow(nn.Module):
    def __init__(self, n_layers=8):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(flip=bool(k % 2)) for k in range(n_layers))

    def log_prob(self, x):
        logdet = torch.zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return -0.5 * (x ** 2).sum(1) - math.log(2 * math.pi) + logdet

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, 2)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


def main():
    torch.manual_seed(8)
    x = torch.from_numpy(np.load("sensor_pairs.npz")["volts"])
    train, val = x[:5000], x[5000:]
    flow = Flow()
    opt = torch.optim.Adam(flow.parameters(), lr=3e-3)
    steps_per_epoch = len(train) // 250
    epochs = 30
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * steps_per_epoch)

    centred = train - train.mean(0)
    cov = centred.T @ centred / len(train)
    gauss = torch.distributions.MultivariateNormal(train.mean(0), cov)
    print(f"Gaussian reference NLL {-gauss.log_prob(val).mean():.3f}")
    for epoch in range(epochs):
        flow.train()
        total = 0.0
        for idx in torch.randperm(len(train)).split(250):
            loss = -flow.log_prob(train[idx]).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
            opt.step()
            sched.step()
            total += loss.item() * len(idx)
        if (epoch + 1) % 3 == 0:
            flow.eval()
            with torch.no_grad():
                nll = -flow.log_prob(val).mean().item()
            print(f"epoch {epoch + 1:2d}  train NLL {total / len(train):+.4f}  val NLL {nll:+.4f}")
    s = flow.sample(5000)
    print("sample mean", s.mean(0).numpy().round(3), "data mean", val.mean(0).numpy().round(3))
    print("sample std ", s.std(0).numpy().round(3), "data std ", val.std(0).numpy().round(3))


if __name__ == "__main__":
    main()
