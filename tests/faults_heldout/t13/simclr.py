import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

TEMP = 0.2


def augment(x):
    """shift by at most a pixel, rescale the ink, add noise"""
    n = x.size(0)
    pad = F.pad(x, (1, 1, 1, 1))
    dy, dx = torch.randint(0, 3, (2, n))
    rows = dy[:, None] + torch.arange(8)
    cols = dx[:, None] + torch.arange(8)
    out = pad[torch.arange(n)[:, None, None], 0, rows[:, :, None], cols[:, None, :]]
    out = out * (0.7 + 0.6 * torch.rand(n, 1, 1)) + 0.05 * torch.randn(n, 8, 8)
    return out[:, None]


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(512, 48))
        self.g = nn.Sequential(nn.ReLU(), nn.Linear(48, 24))

    def forward(self, x):
        return F.normalize(self.g(self.f(x)), dim=-1)


def info_nce(za, zb):
    z = torch.cat([za, zb])
    sim = z @ z.t() / TEMP
    sim.fill_diagonal_(float("-inf"))
    n = len(za)
    partner = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, partner)


def probe(enc, xtr, ytr, xte, yte):
    enc.eval()
    with torch.no_grad():
        a, b = enc.f(xtr).numpy(), enc.f(xte).numpy()
    enc.train()
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=300, C=0.5)).fit(a[:100], ytr[:100]).score(b, yte)


def main():
    torch.manual_seed(9)
    d = load_digits()
    order = torch.randperm(len(d.target))
    x = torch.tensor(d.images / 16, dtype=torch.float32)[order][:, None]
    y = d.target[order.numpy()]
    xtr, xte, ytr, yte = x[:1400], x[1400:], y[:1400], y[1400:]
    enc = Encoder()
    opt = torch.optim.Adam(enc.parameters(), lr=2e-3)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 40, eta_min=1e-4)
    print("probe before", round(probe(enc, xtr, ytr, xte, yte), 3))
    for epoch in range(40):
        total = 0.
        batches = torch.randperm(len(xtr)).split(100)
        for idx in batches:
            loss = info_nce(enc(augment(xtr[idx])), enc(augment(xtr[idx])))
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() / len(batches)
        cosine.step()
        if epoch % 5 == 4:
            with torch.no_grad():
                held = info_nce(enc(augment(xte[:100])), enc(augment(xte[:100]))).item()
            print(f"epoch {epoch + 1} info_nce {total:.3f} held {held:.3f} probe {probe(enc, xtr, ytr, xte, yte):.3f}")


main()
