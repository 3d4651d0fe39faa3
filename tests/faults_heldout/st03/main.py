from dataclasses import dataclass

import torch
import torch.nn as nn

from signals import beats


@dataclass
class Plan:
    seed: int = 5
    beats_train: int = 1200
    beats_valid: int = 300
    epochs: int = 24
    ramp_epochs: int = 18
    sigma_from: float = 0.05
    sigma_to: float = 0.8
    batch: int = 48
    lr: float = 3e-3


class Denoiser(nn.Module):
    def __init__(self, ch=20):
        super().__init__()
        layers, c = [], 1
        for d in (1, 2, 4, 8, 4, 2):
            layers += [nn.Conv1d(c, ch, 5, padding=2 * d, dilation=d), nn.GELU()]
            c = ch
        self.body = nn.Sequential(*layers)
        self.out = nn.Conv1d(ch, 1, 1)

    def forward(self, x):
        z = x.unsqueeze(1)
        return self.out(self.body(z)).squeeze(1)


class Trainer:
    def __init__(self, plan):
        self.p = plan
        torch.manual_seed(plan.seed)
        g = torch.Generator().manual_seed(99)
        self.clean = beats(plan.beats_train, generator=g)
        self.held = beats(plan.beats_valid, generator=g)
        self.noise = torch.randn(self.held.shape, generator=g)
        self.net = Denoiser()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=plan.lr)
        steps = plan.epochs * -(-plan.beats_train // plan.batch)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, steps, eta_min=2e-5)

    def sigma(self, epoch):
        f = min(1.0, epoch / self.p.ramp_epochs)
        return self.p.sigma_from + f * (self.p.sigma_to - self.p.sigma_from)

    def epoch(self, k):
        self.net.train()
        top, tot = self.sigma(k), 0.0
        for idx in torch.randperm(len(self.clean)).split(self.p.batch):
            y = self.clean[idx]
            s = top * torch.rand(len(y), 1)
            out = self.net(y + s * torch.randn_like(y))
            loss = (out - y).square().mean()
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            self.sched.step()
            tot += loss.item() * len(y)
        return tot / len(self.clean)

    @torch.no_grad()
    def snr_gain(self, s):
        self.net.eval()
        err = (self.net(self.held + s * self.noise) - self.held).square().mean()
        return 10 * torch.log10(s * s / err).item()

    def run(self):
        for k in range(self.p.epochs):
            mse = self.epoch(k)
            gains = "  ".join(f"{s:.1f}:{self.snr_gain(s):+5.1f}dB" for s in (0.2, 0.4, 0.8))
            print(f"[{k + 1:02d}] sigma<= {self.sigma(k):.2f}  mse {mse:.5f}  gain {gains}")


if __name__ == "__main__":
    Trainer(Plan()).run()
