import copy
import math

import torch
import torch.nn.functional as F
from torch import nn


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Policy(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.net = mlp(obs, 2 * act)

    def forward(self, s):
        mu, ls = self.net(s).chunk(2, -1)
        ls = ls.clamp(-5, 2)
        u = mu + ls.exp() * torch.randn_like(mu)
        lp = (-0.5 * ((u - mu) / ls.exp()) ** 2 - ls - 0.5 * math.log(2 * math.pi)).sum(-1)
        # change of variables for tanh, in its stable form
        lp = lp - (2 * (math.log(2) - u - F.softplus(-2 * u))).sum(-1)
        return torch.tanh(u), lp, torch.tanh(mu)


class Twin(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.a, self.b = mlp(obs + act, 1), mlp(obs + act, 1)

    def forward(self, s, u):
        x = torch.cat([s, u], -1)
        return self.a(x).squeeze(-1), self.b(x).squeeze(-1)


class SAC:
    def __init__(self, obs, act, lr, gamma, tau):
        self.pi, self.q = Policy(obs, act), Twin(obs, act)
        self.q_slow = copy.deepcopy(self.q).requires_grad_(False)
        self.log_alpha = torch.tensor(math.log(0.1), requires_grad=True)
        self.opt_pi = torch.optim.Adam(self.pi.parameters(), lr)
        self.opt_q = torch.optim.Adam(self.q.parameters(), lr)
        self.opt_alpha = torch.optim.Adam([self.log_alpha], lr)
        self.gamma, self.tau, self.goal_entropy = gamma, tau, -2.0 * act

    def update(self, s, u, r, s2, done):
        alpha = self.log_alpha.exp().detach()
        with torch.no_grad():
            u2, lp2, _ = self.pi(s2)
            y = r + self.gamma * (1 - done) * (torch.min(*self.q_slow(s2, u2)) - alpha * lp2)
        q1, q2 = self.q(s, u)
        loss_q = F.mse_loss(q1, y) + F.mse_loss(q2, y)
        self.opt_q.zero_grad(); loss_q.backward(); self.opt_q.step()

        self.q.requires_grad_(False)
        un, lp, _ = self.pi(s)
        loss_pi = (alpha * lp - torch.min(*self.q(s, un))).mean()
        self.opt_pi.zero_grad(); loss_pi.backward(); self.opt_pi.step()
        self.q.requires_grad_(True)

        loss_a = -(self.log_alpha * (lp.detach() + self.goal_entropy)).mean()
        self.opt_alpha.zero_grad(); loss_a.backward(); self.opt_alpha.step()

        with torch.no_grad():
            for p, t in zip(self.q.parameters(), self.q_slow.parameters()):
                t.lerp_(p, self.tau)
        return loss_q.item(), loss_pi.item(), -lp.mean().item()
