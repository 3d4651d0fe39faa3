import argparse

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn


class SAM(torch.optim.Optimizer):
    """Sharpness-aware minimisation around SGD; step() wants a closure."""

    def __init__(self, params, rho=0.05, **sgd):
        super().__init__(params, dict(rho=rho, **sgd))
        self.base = torch.optim.SGD(self.param_groups, **sgd)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def step(self, closure):
        with torch.enable_grad():
            loss = closure()
        ps = [p for g in self.param_groups for p in g["params"] if p.grad is not None]
        norm = torch.linalg.vector_norm(torch.stack([p.grad.norm() for p in ps]))
        saved = []
        for p in ps:
            e = p.grad * (self.param_groups[0]["rho"] / (norm + 1e-12))
            saved.append(p.clone())
            p.add_(e)
        with torch.enable_grad():
            closure()
        for p, old in zip(ps, saved):
            p.copy_(old)
        self.base.step()
        return loss


class Embedder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 24, 3, padding=1), nn.GroupNorm(4, 24), nn.ReLU(), nn.MaxPool2d(2),
                                  nn.Conv2d(24, 48, 3, padding=1), nn.GroupNorm(8, 48), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Linear(48 * 4, dim)

    def forward(self, x):
        return F.normalize(self.fc(self.conv(x).flatten(1)), dim=1)


def supcon(z, y, tau=0.2):
    sim = z @ z.t() / tau
    eye = torch.eye(len(z), dtype=torch.bool)
    sim = sim.masked_fill(eye, -1e9)
    logp = sim - torch.logsumexp(sim, 1, keepdim=True)
    pos = (y[:, None] == y[None, :]) & ~eye
    n = pos.sum(1)
    return -((logp * pos).sum(1)[n > 0] / n[n > 0]).mean()


@torch.no_grad()
def retrieval(net, gx, gy, qx, qy):
    net.eval()
    zg, zq = net(gx), net(qx)
    net.train()
    near = (zq @ zg.t()).argmax(1)
    parts = [i for i in torch.arange(len(qx)).split(128) if len(i) == 128]
    return (gy[near] == qy).float().mean().item(), sum(supcon(zq[i], qy[i]).item() for i in parts) / len(parts)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--rho", type=float, default=0.05)
    a = ap.parse_args()
    torch.manual_seed(9)
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16 - 0.3
    y = torch.tensor(d.target)
    tr, te = train_test_split(range(len(y)), test_size=400, random_state=0, stratify=y)
    x, y, qx, qy = x[tr], y[tr], x[te], y[te]
    net = Embedder()
    opt = SAM(net.parameters(), rho=a.rho, lr=a.lr, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt.base, a.epochs)
    for ep in range(1, a.epochs + 1):
        tot = 0.0
        chunks = [c for c in torch.randperm(len(x)).split(128) if len(c) == 128]
        for idx in chunks:
            xb = x[idx] + 0.05 * torch.randn_like(x[idx])

            def closure():
                opt.zero_grad()
                loss = supcon(net(xb), y[idx])
                loss.backward()
                return loss

            tot += opt.step(closure).item()
        sched.step()
        r1, ql = retrieval(net, x, y, qx, qy)
        if ep % 2 == 1:
            print(f"epoch {ep} supcon {tot / len(chunks):.4f} heldout supcon {ql:.4f} recall@1 {r1:.4f}")


if __name__ == "__main__":
    main()
