"""SimCLR-style pre-training on 8x8 digits, judged by a k-NN on the embeddings."""
import torch
from sklearn.datasets import load_digits
from torch import nn
import torch.nn.functional as F


def augment(x):
    n = len(x)
    out = F.pad(x, (1, 1, 1, 1))
    dy, dx = torch.randint(0, 3, (n,)), torch.randint(0, 3, (n,))
    rows = dy[:, None] + torch.arange(8)
    cols = dx[:, None] + torch.arange(8)
    out = out[torch.arange(n)[:, None, None], 0, rows[:, :, None], cols[:, None, :]].unsqueeze(1)
    out = out * (0.7 + 0.6 * torch.rand(n, 1, 1, 1)) + 0.08 * torch.randn_like(x)
    return out


class Encoder(nn.Module):
    def __init__(self, dim=64, proj=32):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
                               nn.Conv2d(24, 48, 3, padding=1, stride=2), nn.BatchNorm2d(48), nn.ReLU(),
                               nn.Flatten(), nn.Linear(48 * 16, dim))
        self.g = nn.Sequential(nn.ReLU(), nn.Linear(dim, proj))

    def forward(self, x):
        h = self.f(x)
        return h, F.normalize(self.g(h), dim=1)


def nt_xent(a, b, tau=0.2):
    z = torch.cat([a, b])
    sim = z @ z.T / tau
    sim.fill_diagonal_(float("-inf"))
    n = len(a)
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)


@torch.no_grad()
def knn_accuracy(enc, xt, yt, xv, yv, k=3):
    enc.eval()
    a, b = F.normalize(enc(xt)[0], dim=1), F.normalize(enc(xv)[0], dim=1)
    votes = yt[(b @ a.T).topk(k, dim=1).indices]
    return (votes.mode(1).values == yv).float().mean().item()


def main():
    torch.manual_seed(0)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16
    y = torch.tensor(d.target)
    p = torch.randperm(len(x))
    tr, va = p[:1400], p[1400:]
    ref = torch.cat([tr[y[tr] == c][:8] for c in range(10)])  # the only labels in use
    enc = Encoder()
    opt = torch.optim.AdamW(enc.parameters(), lr=1.5e-3, weight_decay=1e-4)
    for epoch in range(20):
        enc.train()
        s = c = 0
        for idx in tr[torch.randperm(len(tr))].split(128):
            if len(idx) < 128:
                continue
            loss = nt_xent(enc(augment(x[idx]))[1], enc(augment(x[idx]))[1])
            opt.zero_grad()
            loss.backward()
            opt.step()
            s, c = s + loss.item(), c + 1
        with torch.no_grad():
            enc.eval()
            v = nt_xent(enc(augment(x[va][:128]))[1], enc(augment(x[va][:128]))[1]).item()
        print(f"epoch {epoch} nt-xent {s / c:.3f} val {v:.3f} knn acc {knn_accuracy(enc, x[ref], y[ref], x[va], y[va]):.3f}")


if __name__ == "__main__":
    main()
