"""Prototypical network for handheld spectrometers: name a mineral from one reference scan.

The embedding is learnt in 8-way one-shot episodes over the catalogue minerals and judged in episodes of minerals that
are not in the catalogue.
"""
import logging

import torch
import torch.nn as nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger(__name__)
BINS = 96


class Minerals:
    """Every mineral has four to seven peaks; a scan shifts the axis, tilts the baseline and adds shot noise."""

    def __init__(self, count, gen):
        self.peaks = []
        for _ in range(count):
            k = int(torch.randint(4, 8, (), generator=gen))
            self.peaks.append((torch.rand(k, generator=gen) * (BINS - 10) + 5, 0.3 + torch.rand(k, generator=gen),
                               1.2 + 1.5 * torch.rand(k, generator=gen)))
        self.axis = torch.arange(BINS, dtype=torch.float32)

    def scan(self, m, n, gen):
        pos, amp, width = self.peaks[m]
        pos = pos + 0.9 * torch.randn(n, 1, generator=gen)
        amp = amp * (0.45 * torch.randn(n, len(amp), generator=gen)).exp()
        y = (amp[..., None] * torch.exp(-0.5 * ((self.axis - pos[..., None]) / width[:, None]) ** 2)).sum(1)
        tilt = torch.randn(n, 2, generator=gen) * 0.25
        y = y + tilt[:, :1] + tilt[:, 1:] * (self.axis / BINS - 0.5) + 0.22 * torch.randn(n, BINS, generator=gen)
        return y - y.mean(1, keepdim=True)


def episode(minerals, ids, shot, query, gen):
    """Minerals of an episode are known by their place in it, 0..way-1."""
    scans = torch.stack([minerals.scan(m, shot + query, gen) for m in ids])
    target = torch.arange(len(ids)).repeat_interleave(query)
    return scans[:, :shot], scans[:, shot:].flatten(0, 1), target


class Embed(nn.Module):
    def __init__(self, dim=48, c=24):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, c, 7, padding=3), nn.GroupNorm(4, c), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(c, c, 5, padding=2), nn.GroupNorm(4, c), nn.ReLU(), nn.MaxPool1d(2), nn.Flatten())
        self.out = nn.Linear(c * BINS // 4, dim)

    def forward(self, x):
        return self.out(self.body(x.unsqueeze(1)))


def episode_logits(net, support, query):
    way, shot = support.shape[:2]
    z = net(torch.cat([support.flatten(0, 1), query]))
    proto = z[: way * shot].view(way, shot, -1).mean(1)
    return -(z[way * shot:, None] - proto[None]).square().mean(-1)


def main():
    torch.manual_seed(24)
    gen = torch.Generator().manual_seed(240)
    catalogue, unseen = Minerals(400, gen), Minerals(60, gen)
    exam = [episode(unseen, torch.randperm(60, generator=gen)[:8].tolist(), 1, 5, gen) for _ in range(40)]
    net = Embed()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    total = 500
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, total)
    run_loss, run_acc = 0.0, 0.0
    for it in range(1, total + 1):
        net.train()
        s, q, t = episode(catalogue, torch.randperm(400, generator=gen)[:8].tolist(), 1, 5, gen)
        logits = episode_logits(net, s, q)
        loss = F.cross_entropy(logits, t)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        run_loss += loss.item()
        run_acc += (logits.argmax(1) == t).float().mean().item()
        if it % 50 == 0:
            net.eval()
            with torch.no_grad():
                outs = [(episode_logits(net, s, q), t) for s, q, t in exam]
                acc = sum((o.argmax(1) == t).float().mean().item() for o, t in outs) / len(outs)
                nl = sum(F.cross_entropy(o, t).item() for o, t in outs) / len(outs)
            log.info("episode %d | loss %.4f acc %.3f | new minerals loss %.4f acc %.3f (chance 0.125)", it, run_loss / 50,
                     run_acc / 50, nl, acc)
            run_loss = run_acc = 0.0


if __name__ == "__main__":
    main()
