"""Wine cultivar classification with a layer of learned reference points."""
from dataclasses import dataclass

import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from torch import nn


@dataclass
class Settings:
    references: int = 24
    embed: int = 12
    epochs: int = 120
    batch: int = 24
    lr: float = 5e-3
    seed: int = 9


class ReferenceLayer(nn.Module):
    """Similarity of every row to `n` reference points."""

    def __init__(self, dim, n):
        super().__init__()
        self.points = nn.Parameter(torch.randn(n, dim))
        self.log_scale = nn.Parameter(torch.zeros(n))
        self.act = nn.ReLU()

    def forward(self, z):
        sim = -torch.cdist(z, self.points)
        return self.act(sim * self.log_scale.exp())


class CultivarNet(nn.Module):
    def __init__(self, n_in, s):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(n_in, s.embed), nn.Tanh())
        self.refs = ReferenceLayer(s.embed, s.references)
        self.head = nn.Linear(s.references, 3)

    def forward(self, x):
        return self.head(self.refs(self.embed(x)))


def load(seed):
    x, y = load_wine(return_X_y=True)
    xt, xv, yt, yv = train_test_split(x, y, test_size=0.3, stratify=y, random_state=seed)
    mean, std = xt.mean(0), xt.std(0)
    as_float = lambda a: torch.tensor((a - mean) / std, dtype=torch.float32)
    return as_float(xt), torch.tensor(yt), as_float(xv), torch.tensor(yv)


def main(s=Settings()):
    torch.manual_seed(s.seed)
    xt, yt, xv, yv = load(s.seed)
    net = CultivarNet(xt.shape[1], s)
    opt = torch.optim.Adam(net.parameters(), lr=s.lr)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(1, s.epochs + 1):
        net.train()
        for idx in torch.randperm(len(xt)).split(s.batch):
            opt.zero_grad()
            loss = loss_fn(net(xt[idx]), yt[idx])
            loss.backward()
            opt.step()
        if epoch % 15 == 0:
            net.eval()
            with torch.no_grad():
                out, fit = net(xv), net(xt)
            print(f"epoch {epoch:3d}  train {loss_fn(fit, yt):.4f} ({(fit.argmax(1) == yt).float().mean():.3f})"
                  f"  val {loss_fn(out, yv):.4f} ({(out.argmax(1) == yv).float().mean():.3f})")


if __name__ == "__main__":
    main()
