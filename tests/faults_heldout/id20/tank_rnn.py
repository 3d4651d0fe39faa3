"""Soft sensor: level of a buffer tank from the pump set point and the valve position.

The recordings are long, so every stream is read in consecutive chunks and the state of the
network is handed from chunk to chunk.
"""
import numpy as np
import torch
from torch import nn


class SoftSensor(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.rnn = nn.GRU(2, width, batch_first=True)
        self.out = nn.Linear(width, 1)

    def forward(self, u, state=None):
        h, state = self.rnn(u, state)
        return self.out(h).squeeze(-1), state


class Plant:
    def __init__(self, file, n_train):
        z = np.load(file)
        pump = z["pump"].astype(np.float32) / 255
        valve = np.unpackbits(z["valve"], axis=1)[:, :pump.shape[1]].astype(np.float32)
        level = z["level"].astype(np.float32) / 1000
        self.u = torch.from_numpy(np.stack([pump * 2 - 1, valve * 2 - 1], -1))
        self.shift, self.spread = level[:n_train].mean(), level[:n_train].std()
        self.y = torch.from_numpy((level - self.shift) / self.spread)
        self.train, self.val = slice(0, n_train), slice(n_train, None)


class Runner:
    chunk = 50
    epochs = 45

    def __init__(self, plant):
        self.p = plant
        self.net = SoftSensor()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, self.epochs)

    def epoch(self):
        self.net.train()
        u, y = self.p.u[self.p.train], self.p.y[self.p.train]
        state, losses = None, []
        for a in range(0, u.shape[1], self.chunk):
            out, state = self.net(u[:, a:a + self.chunk], state)
            state = state.detach()
            loss = nn.functional.mse_loss(out, y[:, a:a + self.chunk])
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.opt.step()
            losses.append(loss.item())
        self.sched.step()
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        out, _ = self.net(self.p.u[self.p.val])
        y = self.p.y[self.p.val]
        mse = nn.functional.mse_loss(out, y).item()
        return mse, mse ** 0.5 * float(self.p.spread), 1 - mse / y.var(unbiased=False).item()


if __name__ == "__main__":
    torch.manual_seed(200)
    runner = Runner(Plant("tanks.npz", 48))
    for e in range(1, Runner.epochs + 1):
        tl = runner.epoch()
        if e % 3 == 0:
            print("epoch %2d  train %.4f  val %.4f  rms %.3f m  R2 %.3f" % (e, tl, *runner.validate()))
