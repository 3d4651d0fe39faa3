"""Learns an ordering policy from two years of logged random orders in many shops."""
import copy

import numpy as np
import torch
from torch import nn

from shop_env import MAX_ORDER, run_policy

GAMMA = 0.9


def featurize(stock, day):
    stock, day = stock.float(), day.float()
    ang = 2 * np.pi * day / 7
    return torch.stack([stock / 6 - 1, torch.sin(ang), torch.cos(ang), torch.sin(2 * ang), torch.cos(2 * ang)], dim=-1)


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(5, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, MAX_ORDER + 1))

    def forward(self, s):
        return self.f(s)


class Agent:
    def __init__(self, lr=1e-3):
        self.q = QNet()
        self.target = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)

    def update(self, s, a, r, s2):
        q_sa = self.q(s).gather(1, a.unsqueeze(1))
        with torch.no_grad():
            backup = r + GAMMA * self.target(s2).max(dim=1).values
        td = backup - q_sa
        loss = td.pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.q.parameters(), 10.0)
        self.opt.step()
        return loss.item()

    def sync(self):
        self.target.load_state_dict(self.q.state_dict())

    @torch.no_grad()
    def act(self, stock, day):
        return int(self.q(featurize(torch.tensor([stock]), torch.tensor([day]))).argmax())


def main():
    torch.manual_seed(2)
    log = {k: torch.from_numpy(v) for k, v in np.load("log.npz").items()}
    s = featurize(log["stock"], log["day"])
    s2 = featurize(log["next_stock"], log["next_day"])
    a = log["order"].long()
    r = log["profit"] / log["profit"].std()
    rng = np.random.default_rng(0)
    print(f"random orders: {run_policy(lambda *_: rng.integers(0, MAX_ORDER + 1)):.2f} per day")
    agent = Agent()
    for step in range(1, 4001):
        i = torch.randint(len(s), (64,))
        loss = agent.update(s[i], a[i], r[i], s2[i])
        if step % 100 == 0:
            agent.sync()
        if step % 500 == 0:
            print(f"step {step}: td loss {loss:.3f}, profit {run_policy(agent.act):.2f} per day")


if __name__ == "__main__":
    main()
