"""Shower energy (MeV) from the calorimeter hits of one event."""
import numpy as np
import torch
from pathlib import Path
from torch import nn

EPOCHS = 6
SEED = 21


class HitSet(nn.Module):
    def __init__(self, e_mean, e_std, scale, dim=32):
        super().__init__()
        self.register_buffer("e_mean", e_mean)
        self.register_buffer("e_std", e_std)
        self.register_buffer("scale", scale)
        self.phi = nn.Sequential(nn.Linear(4, dim), nn.SiLU(), nn.Linear(dim, dim), nn.SiLU())
        self.rho = nn.Sequential(nn.Linear(2 * dim + 2, dim), nn.SiLU(), nn.Linear(dim, 1))

    def forward(self, hits):
        radius = hits[:, :2].norm(dim=1, keepdim=True)
        h = self.phi(torch.cat([hits, radius], 1) / self.scale)
        total = hits[:, 2].sum() / (self.e_mean)
        count = torch.tensor(len(hits) / 15.0)
        pooled = torch.cat([h.mean(0), h.sum(0) / 15.0, torch.stack([total, count])])
        return self.e_mean + self.e_std * self.rho(pooled).squeeze(-1)


def events(path):
    z = np.load(path)
    hits = torch.from_numpy(z["hits"].astype(np.float32))
    off = z["offsets"]
    return [(hits[a:b], torch.tensor(e)) for a, b, e in zip(off[:-1], off[1:], z["energy"])]


def test_error(model, evs):
    model.eval()
    with torch.no_grad():
        d = torch.stack([model(h) - e for h, e in evs])
    model.train()
    return d.square().mean().item(), d.abs().mean().item()


def main():
    torch.manual_seed(SEED)
    evs = events(Path(__file__).with_name("showers.npz"))
    perm = torch.randperm(len(evs)).tolist()
    train, test = [evs[i] for i in perm[:720]], [evs[i] for i in perm[720:]]
    e = torch.stack([v for _, v in train])
    allhits = torch.cat([h for h, _ in train])
    scale = torch.cat([allhits.std(0), allhits[:, :2].norm(dim=1).std()[None]])
    model = HitSet(e.mean(), e.std(), scale)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(train))
    print(f"spread of test energies {torch.stack([v for _, v in test]).std():.1f} MeV")
    for epoch in range(EPOCHS):
        total = 0.0
        for i in torch.randperm(len(train)).tolist():
            hits, energy = train[i]
            loss = (model(hits) - energy).square()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            sched.step()
            total += loss.item()
        mse, mae = test_error(model, test)
        print(f"epoch {epoch}: train {total / len(train):.1f} MeV^2, test {mse:.1f} MeV^2, MAE {mae:.2f} MeV")


if __name__ == "__main__":
    main()
