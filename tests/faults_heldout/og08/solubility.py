import math

import numpy as np
import torch
import torch.nn as nn


class MessageLayer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.self_lin = nn.Linear(d, d)
        self.nbr_lin = nn.Linear(d, d, bias=False)
        self.norm = nn.LayerNorm(d)

    def forward(self, h, adj):
        deg = adj.sum(-1, keepdim=True).clamp(min=1)
        return self.norm(h + torch.relu(self.self_lin(h) + self.nbr_lin(adj @ h) / deg))


class MolNet(nn.Module):
    def __init__(self, n_atoms, d=40, depth=3):
        super().__init__()
        self.atom = nn.Embedding(n_atoms, d, padding_idx=0)
        self.layers = nn.ModuleList(MessageLayer(d) for _ in range(depth))
        self.readout = nn.Sequential(nn.Linear(d, d), nn.ReLU())
        self.mean = nn.Linear(d, 1)
        self.logvar = nn.Linear(d, 1)

    def forward(self, atoms, adj):
        h = self.atom(atoms)
        present = (atoms > 0).unsqueeze(-1).float()
        for layer in self.layers:
            h = layer(h, adj) * present
        g = self.readout(h.sum(1) / 8)
        return self.mean(g), self.logvar(g).clamp(-6, 3)


def gaussian_nll(mean, logvar, y):
    return 0.5 * (logvar + (y - mean) ** 2 / logvar.exp() + math.log(2 * math.pi)).mean()


def main():
    torch.manual_seed(12)
    z = np.load("molecules.npz")
    atoms = torch.from_numpy(z["atoms"]).long()
    adj = torch.from_numpy(z["bonds"]).float()
    y = torch.from_numpy(z["logS"])
    n = 900
    y = (y - y[:n].mean()) / y[:n].std()
    net = MolNet(int(atoms.max()) + 1)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 16)
    for ep in range(16):
        net.train()
        tot, perm = 0.0, torch.randperm(n)
        for i in range(0, n, 36):
            b = perm[i : i + 36]
            mean, logvar = net(atoms[b], adj[b])
            loss = gaussian_nll(mean, logvar, y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(b)
        sched.step()
        net.eval()
        with torch.no_grad():
            m, _ = net(atoms[n:], adj[n:])
            rmse = (m.flatten() - y[n:]).square().mean().sqrt().item()
        print(f"{ep:02d} nll {tot / n:.3f}  test rmse {rmse:.3f}")


if __name__ == "__main__":
    main()
