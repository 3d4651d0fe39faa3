import torch
import torch.nn.functional as F
from torch import nn

from .buffer import Reservoir


class Learner:
    def __init__(self, lr=0.08, capacity=200, alpha=0.3, beta=1.0, seed=0):
        self.net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr)
        self.mem = Reservoir(capacity, seed)
        self.alpha, self.beta = alpha, beta

    def observe(self, x, y, insert):
        self.opt.zero_grad()
        z = self.net(x)
        loss = F.cross_entropy(z, y)
        now = loss.item()
        if self.mem.items:
            mx, _, mz = self.mem.draw(32)
            loss = loss + self.alpha * F.mse_loss(self.net(mx), mz)
            mx, my, _ = self.mem.draw(32)
            loss = loss + self.beta * F.cross_entropy(self.net(mx), my)
        loss.backward()
        self.opt.step()
        if insert:
            self.mem.add(x, y, z.detach())
        return now, loss.item()

    @torch.no_grad()
    def accuracy(self, x, y):
        return (self.net(x).argmax(1) == y).float().mean().item()
