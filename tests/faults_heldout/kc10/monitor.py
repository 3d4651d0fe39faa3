"""Alarm model for plant telemetry.

Every stream is one long recording. An operator command (1..3) switches the mode of
the plant now and then; between commands the channel reads 0. The model walks over
the streams in windows of 16 samples.
"""
import numpy as np
import torch
from torch import nn

WINDOW = 16


class Monitor(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.command = nn.Embedding(4, 6)
        self.gru = nn.GRU(3 + 6, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden + 3, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, signal, command, state=None):
        z, state = self.gru(torch.cat([signal, self.command(command)], -1), state)
        return self.out(torch.cat([z, signal], -1)).squeeze(-1), state


class Streams:
    def __init__(self, path):
        d = np.load(path)
        self.signal = torch.from_numpy(d["signal"].astype("f4"))
        self.command = torch.from_numpy(d["command"].astype("i8"))
        self.alarm = torch.from_numpy(d["alarm"].astype("f4"))

    def subset(self, ids):
        s = object.__new__(Streams)
        s.signal, s.command, s.alarm = self.signal[ids], self.command[ids], self.alarm[ids]
        return s

    def windows(self):
        for t in range(0, self.signal.shape[1], WINDOW):
            k = slice(t, t + WINDOW)
            yield self.signal[:, k], self.command[:, k], self.alarm[:, k]


class Trainer:
    def __init__(self, model, lr=4e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.crit = nn.BCEWithLogitsLoss()

    def walk(self, streams, train):
        self.model.train(train)
        state = None
        losses, hits = [], []
        for signal, command, alarm in streams.windows():
            logit, last = self.model(signal, command, state)
            loss = self.crit(logit, alarm)
            if train:
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
            losses.append(loss.item())
            hits.append(((logit > 0).float() == alarm).float().mean().item())
        return float(np.mean(losses)), float(np.mean(hits))

    def fit(self, train, test, epochs):
        n = len(train.signal)
        for epoch in range(1, epochs + 1):
            # a few streams at a time, in a new order each pass
            parts = [self.walk(train.subset(b), True) for b in torch.randperm(n).split(8)]
            loss = float(np.mean([p[0] for p in parts]))
            with torch.no_grad():
                tl, acc = self.walk(test, False)
            print(f"epoch {epoch:2d} loss {loss:.4f} test loss {tl:.4f} test acc {acc:.4f}")


if __name__ == "__main__":
    torch.manual_seed(2)
    s = Streams("plant.npz")
    order = torch.randperm(len(s.signal))
    Trainer(Monitor()).fit(s.subset(order[:32]), s.subset(order[32:]), epochs=14)
