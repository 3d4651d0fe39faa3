"""Predict a pair-potential energy of small random molecules with a message-passing network."""
import math

import numpy as np
import torch
from torch import nn

N_MAX, ELEMENTS = 9, 4
RADIUS = torch.tensor([0.31, 0.76, 0.71, 0.66])
CHARGE = torch.tensor([0.25, -0.10, -0.35, -0.45])


def random_molecule(rng):
    n = rng.integers(5, N_MAX + 1)
    kinds = rng.choice(ELEMENTS, size=n, p=[0.4, 0.35, 0.1, 0.15])
    adj = np.zeros((N_MAX, N_MAX), np.float32)
    for i in range(1, n):
        j = rng.integers(max(0, i - 3), i)
        adj[i, j] = adj[j, i] = 1
    if n > 6 and rng.random() < 0.4:
        adj[0, n - 1] = adj[n - 1, 0] = 1
    onehot = np.zeros((N_MAX, ELEMENTS), np.float32)
    onehot[np.arange(n), kinds] = 1
    q, r = CHARGE.numpy()[kinds], RADIUS.numpy()[kinds]
    degree = adj[:n, :n].sum(1)
    energy = 0.0
    for i in range(n):
        for j in range(i):
            if adj[i, j]:
                energy += 4.0 * q[i] * q[j] + 0.8 * (r[i] + r[j])
    energy += 0.05 * ((degree - 2) ** 2).sum() - 1.5 * q.sum()
    return onehot, adj, np.float32(energy + 0.03 * rng.standard_normal())


def make_split(count, rng):
    nodes, adj, energy = zip(*(random_molecule(rng) for _ in range(count)))
    return torch.tensor(np.stack(nodes)), torch.tensor(np.stack(adj)), torch.tensor(np.array(energy))


class MessageLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.message = nn.Linear(dim, dim)
        self.update = nn.Linear(2 * dim, dim)

    def forward(self, h, adj):
        m = adj @ torch.relu(self.message(h))
        return h + torch.relu(self.update(torch.cat([h, m], dim=-1)))


class EnergyNet(nn.Module):
    def __init__(self, dim=32, rounds=3):
        super().__init__()
        self.inp = nn.Linear(ELEMENTS, dim)
        self.layers = nn.ModuleList(MessageLayer(dim) for _ in range(rounds))
        self.readout = nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, 1))

    def forward(self, nodes, adj):
        mask = nodes.sum(-1, keepdim=True)
        h = self.inp(nodes)
        for layer in self.layers:
            h = layer(h, adj)
        return (self.readout(h) * mask).sum(dim=1)


def huber(error, delta=1.0):
    a = error.abs()
    return torch.where(a < delta, 0.5 * a ** 2, delta * (a - 0.5 * delta)).mean()


def main(epochs=31, batch=48, lr=3e-3):
    rng = np.random.default_rng(6)
    torch.manual_seed(6)
    nodes, adj, energy = make_split(2400, rng)
    t_nodes, t_adj, t_energy = make_split(500, rng)
    mean, std = energy.mean(), energy.std()
    target = (energy - mean) / std

    net = EnergyNet()
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=2 * lr, epochs=epochs,
                                                steps_per_epoch=math.ceil(len(nodes) / batch))
    for epoch in range(1, epochs + 1):
        losses = []
        for idx in torch.randperm(len(nodes)).split(batch):
            out = net(nodes[idx], adj[idx])
            loss = huber(out - target[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            sched.step()
            losses.append(loss.item())
        with torch.no_grad():
            pred = net(t_nodes, t_adj).flatten() * std + mean
        mae = (pred - t_energy).abs().mean().item()
        r2 = 1 - ((pred - t_energy) ** 2).sum() / ((t_energy - t_energy.mean()) ** 2).sum()
        if epoch % 3 == 1:
            print("epoch %2d  huber %.4f  test MAE %.3f  R2 %.3f" % (epoch, np.mean(losses), mae, r2))


if __name__ == "__main__":
    main()
