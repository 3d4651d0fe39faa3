"""Water level of 16 basins from rainfall, streamed in windows; the state of each basin is carried from window to window."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn


@dataclass
class Settings:
    window: int = 40
    hidden: int = 24
    lr: float = 4e-3
    epochs: int = 30
    train_share: float = 0.75


class LevelNet(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.read = nn.Linear(hidden, 1)

    def forward(self, rain, state=None):
        out, state = self.lstm(rain, state)
        return self.read(out).squeeze(-1), state


def windows(rain, level, size):
    for s in range(0, rain.shape[1], size):
        yield rain[:, s:s + size, None], level[:, s:s + size]


def follow(model, rain, level, size, state=None):
    model.eval()
    errs = []
    with torch.no_grad():
        for x, y in windows(rain, level, size):
            first = state is None
            p, state = model(x, state)
            if first:  # the first window only fills the state
                continue
            errs.append(((p - y) ** 2).mean(1))
    model.train()
    return torch.stack(errs).mean().item(), state


def main(cfg=Settings()):
    torch.manual_seed(7)
    z = np.load("basin.npz")
    rain, level = torch.tensor(z["rain"]), torch.tensor(z["level"])
    cut = int(cfg.train_share * rain.shape[1])
    rain = (rain - rain[:, :cut].mean()) / rain[:, :cut].std()
    level = (level - level[:, :cut].mean()) / level[:, :cut].std()
    model = LevelNet(cfg.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.StepLR(opt, 10, gamma=0.7)
    for epoch in range(cfg.epochs):
        state, seen = None, []
        for x, y in windows(rain[:, :cut], level[:, :cut], cfg.window):
            if state is None:  # the first window only fills the state
                with torch.no_grad():
                    _, state = model(x)
                continue
            state = tuple(s.detach() for s in state)
            pred, state = model(x, state)
            loss = nn.functional.mse_loss(pred, y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            seen.append(loss.item())
        sched.step()
        if epoch % 3 == 2:
            tr, state = follow(model, rain[:, :cut], level[:, :cut], cfg.window)
            te, _ = follow(model, rain[:, cut:], level[:, cut:], cfg.window, state)
            print(f"epoch {epoch + 1:2d}  running {np.mean(seen):.4f}  past mse {tr:.4f}  future mse {te:.4f}")


main()
