import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Dueling(nn.Module):
    def __init__(self, dim, actions, width=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.value = nn.Linear(width, 1)
        self.adv = nn.Linear(width, actions)

    def forward(self, o):
        h = self.body(o)
        a = self.adv(h)
        return self.value(h) + a - a.mean(-1, keepdim=True)


class Agent:
    def __init__(self, dim, actions, lr, gamma, tau):
        self.online = Dueling(dim, actions)
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad_(False)
        self.opt = torch.optim.Adam(self.online.parameters(), lr=lr)
        self.gamma, self.tau = gamma, tau

    @torch.no_grad()
    def act(self, o):
        return int(self.online(torch.from_numpy(o)[None]).argmax())

    def learn(self, batch):
        o, a, r, n, term = batch
        with torch.no_grad():
            pick = self.online(n).argmax(1, keepdim=True)
            goal = r + self.gamma * (1 - term) * self.target(n).gather(1, pick).squeeze(1)
        q = self.online(o).gather(1, a[:, None]).squeeze(1)
        loss = F.smooth_l1_loss(q, goal)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.online.parameters(), 10.0)
        self.opt.step()
        with torch.no_grad():
            for t, p in zip(self.target.parameters(), self.online.parameters()):
                t.lerp_(p, self.tau)
        return loss.item(), q.mean().item()
