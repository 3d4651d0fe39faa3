import os

import torch
from torch.nn.functional import l1_loss, mse_loss

from .net import LoadGRU
from .stream import Stream, load


class Engine:
    def __init__(self, cfg, root):
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        kw, clock = load(os.path.join(root, cfg.data))
        past = kw[:, :cfg.split_hour]
        self.centre, self.unit = past.mean(1, keepdim=True), past.std()
        z = (kw - self.centre) / self.unit
        self.kw = kw
        self.fit = Stream(z, clock, 24, cfg.split_hour, cfg.window)
        self.test = Stream(z, clock, cfg.split_hour, kw.shape[1], cfg.window)
        self.model = LoadGRU(cfg.hidden)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        gamma = (cfg.final_lr / cfg.lr) ** (1 / cfg.epochs)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, gamma)

    def naive(self):
        s, e = self.test.begin, self.test.end
        day = l1_loss(self.kw[:, s - 24:e - 24], self.kw[:, s:e])
        hour = l1_loss(self.kw[:, s - 1:e - 1], self.kw[:, s:e])
        return day.item(), hour.item()

    def epoch(self):
        self.model.train()
        state, total = None, 0.0
        for x, y in self.fit:
            pred, state = self.model(x, state)
            state = state.detach()
            loss = mse_loss(pred, y)
            self.opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
            self.opt.step()
            total += loss.item()
        self.sched.step()
        return total / len(self.fit)

    @torch.no_grad()
    def score(self):
        """Run over the fit part once to have the state, then forecast the rest hour by hour."""
        self.model.eval()
        state = None
        for x, _ in self.fit:
            _, state = self.model(x, state)
        mse, mae = [], []
        for x, y in self.test:
            pred, state = self.model(x, state)
            mse.append(mse_loss(pred, y))
            mae.append(l1_loss(pred, y) * self.unit)
        return torch.stack(mse).mean().item(), torch.stack(mae).mean().item()

    def run(self):
        day, hour = self.naive()
        print(f"same hour yesterday: {day:.1f} kW   last hour: {hour:.1f} kW")
        for e in range(1, self.cfg.epochs + 1):
            fit = self.epoch()
            if e % 2 == 0:
                mse, mae = self.score()
                print(f"epoch {e:2d}  fit mse {fit:.4f}  test mse {mse:.4f}  test error {mae:.1f} kW")
