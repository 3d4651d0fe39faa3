"""Learned ISTA: non-negative sparse codes of digit patches through an unrolled solver."""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits


def patches(size=6, seed=0):
    imgs = torch.tensor(load_digits().images, dtype=torch.float32) / 16.0
    p = imgs.unfold(1, size, 1).unfold(2, size, 1).reshape(-1, size * size)
    order = torch.randperm(len(p), generator=torch.Generator().manual_seed(seed))
    p = p[order[:9000]]
    return p[:7500], p[7500:]


class LISTA(nn.Module):
    """z <- relu(W x + S z - theta), unrolled; W, S, theta and the dictionary are trained.

    Initialised from ISTA with step 1/L, where L bounds the curvature of the data term."""

    def __init__(self, dim, atoms, lam=0.1, unroll=4):
        super().__init__()
        d = torch.randn(dim, atoms)
        d = d / d.norm(dim=0)
        lip = torch.linalg.matrix_norm(d, 2) ** 2 * 1.01
        self.dictionary = nn.Parameter(d.clone())
        self.encode = nn.Parameter(d.t() / lip)
        self.lateral = nn.Parameter(torch.eye(atoms) - d.t() @ d / lip)
        self.theta = nn.Parameter(torch.full((atoms,), float(lam * lip)))
        self.unroll = unroll

    def codes(self, x):
        drive = x @ self.encode.t()
        z = torch.relu(drive - self.theta)
        for _ in range(self.unroll):
            z = torch.relu(drive + z @ self.lateral.t() - self.theta)
        return z

    def forward(self, x):
        z = self.codes(x)
        return z @ self.dictionary.t(), z


def objective(x, rec, z, lam):
    return 0.5 * (x - rec).pow(2).sum(1).mean() + lam * z.sum(1).mean()


def main(atoms=64, lam=0.1, epochs=12, batch=128, lr=2e-3):
    torch.manual_seed(20)
    train, val = patches()
    model = LISTA(train.shape[1], atoms, lam)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(1, epochs + 1):
        total = 0.0
        for i in torch.randperm(len(train)).split(batch):
            x = train[i]
            rec, z = model(x)
            loss = objective(x, rec, z, lam)
            opt.zero_grad()
            loss.backward()
            opt.step()
            with torch.no_grad():
                # unit-norm atoms, so that the penalty cannot be dodged by rescaling
                model.dictionary /= model.dictionary.norm(dim=0).clamp_min(1e-6)
            total += loss.item() * len(i)
        with torch.no_grad():
            rec, z = model(val)
            ve = 1 - (val - rec).pow(2).sum() / (val - val.mean(0)).pow(2).sum()
        print(f"epoch {epoch:2d}  objective {total / len(train):.4f}  val objective {objective(val, rec, z, lam):.4f}  "
              f"explained {ve:.3f}  active codes {(z > 0).float().mean():.3f}")


if __name__ == "__main__":
    main()
