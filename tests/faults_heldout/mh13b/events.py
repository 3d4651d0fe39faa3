"""Sound event classifier with a second head that estimates the source distance."""
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn, optim

FEATURES = Path("features")
CLASSES = ["door", "dog", "glass", "horn", "speech", "steps"]


class MelSet:
    """Log-mel frames kept as int16 hundredths."""

    def __init__(self, name):
        z = np.load(FEATURES / f"{name}.npz")
        self.mel = torch.from_numpy(z["mel"].astype(np.float32) / 100.0)
        self.event = torch.from_numpy(z["event"].astype(np.int64))
        self.log_dist = torch.from_numpy(np.log(z["metres"].astype(np.float32)))

    def standardise(self, mean, std):
        self.mel = (self.mel - mean) / std

    def iterate(self, size, rng=None):
        order = torch.randperm(len(self.event), generator=rng) if rng else torch.arange(len(self.event))
        for idx in order.split(size):
            yield self.mel[idx], self.event[idx], self.log_dist[idx]


class EventNet(nn.Module):
    def __init__(self, n_mels, hidden=32):
        super().__init__()
        self.front = nn.Sequential(nn.Conv1d(n_mels, hidden, 3, padding=1), nn.ReLU(), nn.Dropout(0.2))
        self.rnn = nn.GRU(hidden, hidden, batch_first=True, bidirectional=True)
        self.event = nn.Sequential(nn.Dropout(0.3), nn.Linear(2 * hidden, len(CLASSES)))
        self.distance = nn.Sequential(nn.Linear(2 * hidden, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, mel):
        h = self.front(mel.transpose(1, 2)).transpose(1, 2)
        h = self.rnn(h)[0].mean(dim=1)
        return self.event(h), self.distance(h).squeeze(-1)


class Experiment:
    def __init__(self, epochs=30, batch=32, lr=2e-3, dist_weight=0.5):
        torch.manual_seed(77)
        self.epochs, self.batch, self.dist_weight = epochs, batch, dist_weight
        self.train, self.dev = MelSet("train"), MelSet("dev")
        mean, std = self.train.mel.mean(dim=(0, 1)), self.train.mel.std(dim=(0, 1))
        self.train.standardise(mean, std)
        self.dev.standardise(mean, std)
        self.net = EventNet(self.train.mel.shape[-1])
        self.opt = optim.AdamW(self.net.parameters(), lr=lr, weight_decay=1e-2)
        self.sched = optim.lr_scheduler.OneCycleLR(
            self.opt, lr, epochs=epochs, steps_per_epoch=math.ceil(len(self.train.event) / batch))
        self.rng = torch.Generator().manual_seed(78)

    def losses(self, mel, event, log_dist):
        logits, dist = self.net(mel)
        ce = nn.functional.cross_entropy(logits, event)
        hub = nn.functional.smooth_l1_loss(dist, log_dist)
        return ce, hub, (logits.argmax(1) == event).float().mean()

    def epoch(self):
        self.net.train()
        rows = []
        for mel, event, log_dist in self.train.iterate(self.batch, self.rng):
            ce, hub, acc = self.losses(mel, event, log_dist)
            self.opt.zero_grad()
            (ce + self.dist_weight * hub).backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
            self.opt.step()
            self.sched.step()
            rows.append([ce.item(), hub.item(), acc.item()])
        return np.mean(rows, axis=0)

    @torch.no_grad()
    def check(self):
        self.net.eval()
        ce, hub, acc = self.losses(self.dev.mel, self.dev.event, self.dev.log_dist)
        return ce.item(), hub.item(), acc.item()

    def run(self):
        for i in range(1, self.epochs + 1):
            t, d = self.epoch(), self.check()
            if i % 3 == 0:
                print("%2d  train: ce %.3f dist %.3f acc %.3f   dev: ce %.3f dist %.3f acc %.3f" % (i, *t, *d))


if __name__ == "__main__":
    Experiment().run()
