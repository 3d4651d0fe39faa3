"""Online banner selection on logged traffic with full reward tables; one decision, one update."""
import argparse

import numpy as np
import torch
from torch import nn


class Traffic:
    def __init__(self, path):
        z = np.load(path)
        self.context = torch.from_numpy(z["context"].astype(np.float32))
        self._reward = z["reward"].astype(np.float32)

    def __len__(self):
        return len(self.context)

    def __iter__(self):
        yield from enumerate(self.context)

    def pay(self, t, arm):
        return float(self._reward[t, arm])

    @property
    def n_arms(self):
        return self._reward.shape[1]

    def average(self, arm, lo, hi):
        return float(self._reward[lo:hi, arm].mean())


class ArmValues(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.lin = nn.Linear(d, k)
        nn.init.zeros_(self.lin.weight)
        nn.init.zeros_(self.lin.bias)

    def forward(self, c):
        return self.lin(c)


class EpsilonGreedy:
    def __init__(self, values, lr, eps, eps_decay, seed):
        self.values, self.eps, self.decay = values, eps, eps_decay
        self.opt = torch.optim.SGD(values.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, lambda t: (1 + t / 400) ** -0.6)
        self.rng = np.random.default_rng(seed)

    def choose(self, t, c):
        q = self.values(c)
        explore = self.rng.random() < max(self.eps * self.decay ** t, 0.02)
        arm = int(self.rng.integers(len(q))) if explore else int(q.detach().argmax())
        return arm, q[arm]

    def learn(self, estimate, reward):
        loss = 0.5 * (estimate - reward) ** 2
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--eps", type=float, default=0.4)
    ap.add_argument("--eps-decay", type=float, default=0.999)
    ap.add_argument("--report", type=int, default=500)
    a = ap.parse_args()
    torch.manual_seed(1)
    traffic = Traffic("impressions.npz")
    agent = EpsilonGreedy(ArmValues(traffic.context.shape[1], traffic.n_arms), a.lr, a.eps, a.eps_decay, seed=6)
    earned, sq = [], []
    for t, c in traffic:
        arm, est = agent.choose(t, c)
        r = traffic.pay(t, arm)
        sq.append(agent.learn(est, r))
        earned.append(r)
        if (t + 1) % a.report == 0:
            lo = t + 1 - a.report
            print(f"{t + 1:6d}  earned {np.mean(earned[lo:]):.3f}  loss {np.mean(sq[lo:]):.3f}  "
                  f"best single arm {max(traffic.average(k, lo, t + 1) for k in range(traffic.n_arms)):.3f}")


if __name__ == "__main__":
    main()
