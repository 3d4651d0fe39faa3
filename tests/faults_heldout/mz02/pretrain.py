"""Self-supervised pre-training on wrist accelerometer windows, then a linear probe."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 3
ACTIVITIES = ["sit", "walk", "run", "stairs", "cycle", "brush"]
LENGTH = 64          # 2.56 s at 25 Hz
torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)

#            base Hz, amplitude per axis,  harmonic, tilt
PROFILE = [(0.2, (0.05, 0.05, 0.05), 0.0, (0.1, 0.2, 0.97)),
           (1.8, (0.25, 0.35, 0.20), 0.6, (0.7, 0.1, 0.70)),
           (2.7, (0.80, 0.95, 0.60), 0.5, (0.8, 0.3, 0.50)),
           (1.5, (0.30, 0.25, 0.45), 0.9, (0.6, 0.2, 0.77)),
           (1.2, (0.12, 0.10, 0.30), 0.2, (0.3, 0.8, 0.50)),
           (4.0, (0.50, 0.10, 0.15), 0.1, (0.2, 0.7, 0.68))]


def make_windows(n):
    t = np.arange(LENGTH) / 25.0
    labels = rng.integers(0, len(ACTIVITIES), n)
    out = np.empty((n, 3, LENGTH), dtype=np.float32)
    for i, k in enumerate(labels):
        f, amp, harm, tilt = PROFILE[k]
        f = f * rng.normal(1, 0.10)
        ph = rng.uniform(0, 2 * np.pi)
        gain = rng.lognormal(0, 0.4)
        for a in range(3):
            lag = rng.normal(a * 0.9, 0.3)
            wave = np.sin(2 * np.pi * f * t + ph + lag) + harm * np.sin(4 * np.pi * f * t + 2 * ph + lag)
            out[i, a] = (tilt[a] + rng.normal(0, 0.3)) + gain * amp[a] * wave
        out[i] += rng.normal(0, 0.2, (3, LENGTH))
    return torch.from_numpy(out), torch.from_numpy(labels)


class TwoViews(nn.Module):
    """Random view of a batch: circular shift, gain, jitter, short dropout in time."""

    def forward(self, x):
        b = x.shape[0]
        shift = torch.randint(0, LENGTH, (b, 1, 1))
        idx = (torch.arange(LENGTH).view(1, 1, -1) + shift) % LENGTH
        x = x.gather(2, idx.expand(b, 3, LENGTH))
        x = x * (1 + 0.15 * torch.randn(b, 1, 1)) + 0.08 * torch.randn_like(x)
        start = torch.randint(0, LENGTH - 12, (b, 1, 1))
        pos = torch.arange(LENGTH).view(1, 1, -1)
        hole = (pos >= start) & (pos < start + 12)
        return x.masked_fill(hole, 0.0)


class Encoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(3, width, 7, padding=3, bias=False), nn.BatchNorm1d(width), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(width, width, 5, padding=2, bias=False), nn.BatchNorm1d(width), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(width, 2 * width, 3, padding=1, bias=False), nn.BatchNorm1d(2 * width), nn.ReLU(),
            nn.AdaptiveAvgPool1d(1), nn.Flatten())

    def forward(self, x):
        return self.net(x)


class NTXent(nn.Module):
    def __init__(self, temperature=0.2):
        super().__init__()
        self.temperature = temperature

    def forward(self, za, zb):
        n = za.shape[0]
        z = F.normalize(torch.cat([za, zb]), dim=1)
        sim = z @ z.t() / self.temperature
        sim.fill_diagonal_(float("-inf"))
        partner = torch.arange(2 * n, device=z.device).roll(n)
        return F.cross_entropy(sim, partner)


def pretrain(encoder, x, epochs=14, batch=128):
    head = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32))
    view, criterion = TwoViews(), NTXent()
    opt = torch.optim.Adam(list(encoder.parameters()) + list(head.parameters()), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(epochs):
        encoder.train()
        losses = []
        for idx in torch.randperm(len(x)).split(batch):
            if len(idx) < batch:
                continue
            xb = x[idx]
            loss = criterion(head(encoder(view(xb))), head(encoder(view(xb))))
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        print(f"pretrain epoch {epoch:2d}  nt-xent {np.mean(losses):.3f}")


def probe(encoder, train, test, steps=300):
    encoder.eval()
    for p in encoder.parameters():
        p.requires_grad_(False)
    with torch.no_grad():
        ftr, fte = encoder(train[0]), encoder(test[0])
    mu, sd = ftr.mean(0), ftr.std(0) + 1e-6
    ftr, fte = (ftr - mu) / sd, (fte - mu) / sd
    clf = nn.Linear(ftr.shape[1], len(ACTIVITIES))
    opt = torch.optim.AdamW(clf.parameters(), lr=5e-3, weight_decay=0.05)
    for step in range(steps):
        loss = F.cross_entropy(clf(ftr), train[1])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 60 == 59:
            with torch.no_grad():
                acc = (clf(fte).argmax(1) == test[1]).float().mean().item()
            print(f"probe step {step + 1:3d}  loss {loss.item():.3f}  test acc {acc:.3f}")


if __name__ == "__main__":
    unlabelled, _ = make_windows(3000)
    labelled = make_windows(240)
    test = make_windows(1000)
    mean, std = unlabelled.mean((0, 2), keepdim=True), unlabelled.std((0, 2), keepdim=True)
    scale = lambda x: (x - mean) / std
    enc = Encoder()
    pretrain(enc, scale(unlabelled))
    probe(enc, (scale(labelled[0]), labelled[1]), (scale(test[0]), test[1]))
