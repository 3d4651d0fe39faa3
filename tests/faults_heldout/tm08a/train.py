import argparse
import json

import numpy as np
import torch

from cells import simulate
from estimator import SocEstimator, chunks


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--config", default="soc.json")
    return p.parse_args()


class SocTraining:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        x, y = simulate(cfg["train_cycles"], seed=10)
        xv, yv = simulate(cfg["test_cycles"], seed=20)
        self.mean, self.std = x.mean((0, 1)), x.std((0, 1))
        self.x, self.y = self._prepare(x), torch.from_numpy(y)
        self.x_test, self.y_test = self._prepare(xv), torch.from_numpy(yv)
        self.model = SocEstimator(cfg["hidden"])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg["epochs"])

    def _prepare(self, x):
        return torch.from_numpy((x - self.mean) / self.std)

    def next_state(self, state):
        return state.detach() if self.cfg["carry_state"] else None

    def epoch(self):
        self.model.train()
        losses = []
        for idx in torch.randperm(len(self.x)).split(self.cfg["batch_size"]):
            state = None
            for xb, yb in chunks(self.x[idx], self.y[idx], self.cfg["chunk"]):
                pred, state = self.model(xb, state)
                loss = ((pred - yb) ** 2).mean()
                self.opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                state = self.next_state(state)
                losses.append(loss.item())
        self.sched.step()
        return float(np.mean(losses))

    @torch.no_grad()
    def predict(self, x, y):
        self.model.eval()
        state, out = None, []
        for xb, _ in chunks(x, y, self.cfg["chunk"]):
            pred, state = self.model(xb, state)
            state = self.next_state(state)
            out.append(pred)
        return torch.cat(out, 1)

    def run(self):
        for e in range(1, self.cfg["epochs"] + 1):
            loss = self.epoch()
            if e % 3 == 0:
                test = ((self.predict(self.x_test, self.y_test) - self.y_test) ** 2).mean().item()
                print(f"epoch {e:2d}  train mse {loss:.5f}  test mse {test:.5f}")
        err = 100 * (self.predict(self.x_test, self.y_test) - self.y_test).numpy()
        print(f"SoC error: RMSE {np.sqrt((err ** 2).mean()):.2f} %, worst cycle "
              f"{np.sqrt((err ** 2).mean(1)).max():.2f} %, at end of cycle {np.abs(err[:, -1]).mean():.2f} %"
              f"  (SoC spread {100 * self.y_test.std():.1f} %)")


if __name__ == "__main__":
    with open(parse().config) as f:
        SocTraining(json.load(f)).run()
