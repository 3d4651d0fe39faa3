import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class Denoiser(nn.Module):
    def __init__(self, c=24):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.GELU(), nn.Conv2d(c, c, 3, padding=1), nn.GELU())
        self.dec = nn.Sequential(nn.Conv2d(c, c, 3, padding=1), nn.GELU(), nn.Conv2d(c, 1, 3, padding=1))

    def forward(self, x):
        z = self.enc(x)
        return x + self.dec(z), z


class Monitor:
    """Collects diagnostics over the run and prints a short digest."""

    def __init__(self):
        self.series = {}

    def add(self, name, value):
        self.series.setdefault(name, []).append(value)

    @torch.no_grad()
    def digest(self, last):
        return "  ".join(f"{k} {float(torch.stack(v[-last:]).mean()):.4f}" for k, v in self.series.items())


class Trainer:
    def __init__(self, model, images, args):
        self.model, self.args = model, args
        perm = torch.randperm(len(images))
        self.train_x, self.test_x = images[perm[:1500]], images[perm[1500:]]
        self.opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
        self.monitor = Monitor()
        self.test_noise = torch.randn(self.test_x.shape) * args.sigma

    def step(self, clean):
        noisy = clean + torch.randn_like(clean) * self.args.sigma
        out, z = self.model(noisy)
        loss = F.mse_loss(out, clean)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        # how far do the features of the noisy image drift from those of the clean one
        _, ref = self.model(clean)
        self.monitor.add("loss", loss.detach())
        self.monitor.add("drift", (z.detach() - ref).pow(2).mean())

    @torch.no_grad()
    def test(self):
        out, _ = self.model(self.test_x + self.test_noise)
        mse = F.mse_loss(out, self.test_x)
        return -10 * torch.log10(mse).item()

    def fit(self):
        for epoch in range(1, self.args.epochs + 1):
            self.model.train()
            batches = torch.randperm(len(self.train_x)).split(self.args.batch)
            for b in batches:
                self.step(self.train_x[b])
            self.model.eval()
            print(f"epoch {epoch:2d}  {self.monitor.digest(len(batches))}  test psnr {self.test():.2f} dB")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=16)
    ap.add_argument("--batch", type=int, default=50)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--sigma", type=float, default=0.35)
    ap.add_argument("--seed", type=int, default=9)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    digits = torch.tensor(load_digits().images, dtype=torch.float32)[:, None] / 8 - 1
    Trainer(Denoiser(), digits, args).fit()
