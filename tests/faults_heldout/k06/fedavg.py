import copy
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn


@dataclass
class Cfg:
    clients: int = 10
    per_round: int = 5
    rounds: int = 50
    local_epochs: int = 2
    batch: int = 16
    lr: float = 0.08
    alpha: float = 1.0     # Dirichlet concentration of the label mix
    seed: int = 4


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 12, 3, padding=1)
        self.c2 = nn.Conv2d(12, 24, 3, padding=1)
        self.norm = nn.GroupNorm(4, 24)
        self.fc = nn.Linear(24 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.norm(self.c2(x))), 2)
        return self.fc(x.flatten(1))


def split_clients(y, cfg, rng):
    parts = [[] for _ in range(cfg.clients)]
    for c in range(10):
        idx = rng.permutation(np.where(y == c)[0])
        cuts = (np.cumsum(rng.dirichlet([cfg.alpha] * cfg.clients)) * len(idx)).astype(int)[:-1]
        for part, chunk in zip(parts, np.split(idx, cuts)):
            part.extend(chunk.tolist())
    return [torch.tensor(p) for p in parts]


def local_update(global_net, x, y, lr, cfg):
    net = copy.deepcopy(global_net)
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    tot, n = 0.0, 0
    for _ in range(cfg.local_epochs):
        for idx in torch.randperm(len(x)).split(cfg.batch):
            loss = F.cross_entropy(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot, n = tot + loss.item() * len(idx), n + len(idx)
    return net.state_dict(), tot / n


def average(states, weights):
    w = torch.tensor(weights, dtype=torch.float32)
    w = w / w.sum()
    return {k: sum(wi * s[k] for wi, s in zip(w, states)) for k in states[0]}


def main(cfg=Cfg()):
    torch.manual_seed(cfg.seed)
    rng = np.random.default_rng(cfg.seed)
    d = load_digits()
    xtr, xte, ytr, yte = train_test_split(d.images / 16.0, d.target, test_size=400, random_state=0, stratify=d.target)
    parts = split_clients(ytr, cfg, rng)
    xtr, xte = (torch.tensor(a, dtype=torch.float32).unsqueeze(1) for a in (xtr, xte))
    ytr, yte = torch.tensor(ytr), torch.tensor(yte)
    print("client sizes", [len(p) for p in parts])
    server = Net()
    for rnd in range(1, cfg.rounds + 1):
        lr = cfg.lr * 0.96 ** rnd
        chosen = rng.choice(cfg.clients, cfg.per_round, replace=False)
        states, sizes, losses = [], [], []
        for c in chosen:
            s, l = local_update(server, xtr[parts[c]], ytr[parts[c]], lr, cfg)
            states.append(s)
            sizes.append(len(parts[c]))
            losses.append(l)
        server.load_state_dict(average(states, sizes))
        if rnd % 5 == 0:
            server.eval()
            with torch.no_grad():
                out = server(xte)
            server.train()
            print(f"round {rnd:3d} local loss {np.average(losses, weights=sizes):.4f} server test loss {F.cross_entropy(out, yte):.4f} acc {(out.argmax(1) == yte).float().mean():.4f}")


if __name__ == "__main__":
    main()
