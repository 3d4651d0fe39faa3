"""
Message passing network for the strain energy of small molecules (kJ/mol).

molecules.jsonl holds one molecule per line: atom letters, bond list, energy.
The graphs are tiny and all of different size, so they are visited one by one.
The energy is a sum of atom contributions; these are predicted in standardised units and scaled back,
so the loss is in (kJ/mol)^2.
"""
import json
import random
from pathlib import Path

import torch
import torch.nn as nn

ATOMS = {"C": 0, "N": 1, "O": 2, "S": 3}
HERE = Path(__file__).resolve().parent


def read(path):
    graphs = []
    for line in path.read_text().splitlines():
        m = json.loads(line)
        atoms = torch.tensor([ATOMS[c] for c in m["atoms"]])
        b = torch.tensor(m["bonds"])
        edges = torch.cat([b, b.flip(1)]).T              # both directions
        graphs.append((atoms, edges, torch.tensor(m["energy"])))
    return graphs


class MessageLayer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.message = nn.Sequential(nn.Linear(2 * d, d), nn.SiLU())
        self.update = nn.GRUCell(d, d)

    def forward(self, h, edges):
        src, dst = edges
        m = self.message(torch.cat([h[src], h[dst]], 1))
        return self.update(torch.zeros_like(h).index_add_(0, dst, m), h)


class EnergyNet(nn.Module):
    def __init__(self, mean, std, d=24, rounds=3):
        super().__init__()
        self.embed = nn.Embedding(len(ATOMS), d)
        self.rounds = nn.ModuleList(MessageLayer(d) for _ in range(rounds))
        self.readout = nn.Sequential(nn.Linear(d, d), nn.SiLU(), nn.Linear(d, 1))
        self.register_buffer("mean", torch.tensor(mean))
        self.register_buffer("std", torch.tensor(std))

    def forward(self, atoms, edges):
        h = self.embed(atoms)
        for r in self.rounds:
            h = r(h, edges)
        per_atom = self.readout(h).squeeze(-1)
        return (self.mean + self.std * per_atom).sum()


@torch.no_grad()
def score(net, graphs):
    net.eval()
    err = torch.stack([net(a, e) - y for a, e, y in graphs])
    y = torch.stack([y for *_, y in graphs])
    return err.abs().mean().item(), 1 - (err.square().sum() / (y - y.mean()).square().sum()).item()


def main(epochs=11, lr=2e-3, seed=19):
    random.seed(seed)
    torch.manual_seed(seed)
    graphs = read(HERE / "molecules.jsonl")
    random.shuffle(graphs)
    train, val, test = graphs[:360], graphs[360:430], graphs[430:]
    y = torch.stack([g[2] for g in train])
    per_atom = y / torch.tensor([float(len(g[0])) for g in train])
    net = EnergyNet(per_atom.mean().item(), per_atom.std().item())
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * len(train), eta_min=1e-5)
    print(f"{len(train)} training molecules, energy {y.mean():.0f} +- {y.std():.0f} kJ/mol")

    for epoch in range(1, epochs + 1):
        net.train()
        random.shuffle(train)
        total = 0.0
        for atoms, edges, target in train:
            loss = (net(atoms, edges) - target) ** 2
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        mae, r2 = score(net, val)
        print(f"epoch {epoch:2d}  mse {total / len(train):10.1f}  val mae {mae:7.1f}  val r2 {r2:.4f}")

    torch.save(net.state_dict(), HERE / "energy_net.pt")
    print("test mae {:.1f} kJ/mol, r2 {:.4f}".format(*score(net, test)))


if __name__ == "__main__":
    main()
