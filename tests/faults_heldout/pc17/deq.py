"""Deep equilibrium classifier: z* = f(z*, x) by Anderson acceleration, gradient by the implicit function theorem."""
import time

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm


def anderson(f, z0, m=5, tol=1e-4, max_iter=30, lam=1e-4):
    b, d = z0.shape
    X, G = z0.new_zeros(b, m, d), z0.new_zeros(b, m, d)
    X[:, 0], G[:, 0] = z0, f(z0)
    X[:, 1], G[:, 1] = G[:, 0], f(G[:, 0])
    for k in range(2, max_iter):
        n = min(k, m)
        R = G[:, :n] - X[:, :n]
        H = torch.bmm(R, R.transpose(1, 2))
        H = H + (lam * H.diagonal(dim1=1, dim2=2).mean(1)[:, None, None] + 1e-20) * torch.eye(n)
        alpha = torch.linalg.solve(H, z0.new_ones(b, n, 1)).squeeze(2)
        alpha = alpha / alpha.sum(1, keepdim=True)
        new = torch.bmm(alpha[:, None], G[:, :n]).squeeze(1)
        X[:, k % m] = new
        G[:, k % m] = f(new)
        res = (G[:, k % m] - new).norm() / (1e-6 + G[:, k % m].norm())
        if res < tol:
            break
    return G[:, k % m], k, res.item()


class Cell(nn.Module):
    def __init__(self, d_in, d):
        super().__init__()
        self.W = spectral_norm(nn.Linear(d, d, bias=False))
        self.U = nn.Linear(d_in, d)

    def inject(self, x):
        return self.U(x)

    def weight(self):
        return 0.9 * self.W.weight

    def forward(self, z, u, w):
        return torch.tanh(z @ w.t() + u)


class DEQ(nn.Module):
    def __init__(self, d_in, d, classes):
        super().__init__()
        self.cell, self.head, self.d = Cell(d_in, d), nn.Linear(d, classes), d
        self.stats = {}

    def forward(self, x):
        u, w = self.cell.inject(x), self.cell.weight()
        with torch.no_grad():
            z, its, res = anderson(lambda q: self.cell(q, u, w), torch.zeros(len(x), self.d))
        self.stats = {"its": its, "res": res}
        z = self.cell(z, u, w)
        if torch.is_grad_enabled():
            z0 = z.detach().requires_grad_()
            f0 = self.cell(z0, u.detach(), w.detach())

            def hook(grad):
                g, its, _ = anderson(lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad)
                self.stats["its_back"] = its
                return g

            z.register_hook(hook)
        return self.head(z)


def main():
    torch.manual_seed(77)
    x, y = load_digits(return_X_y=True)
    xtr, xte, ytr, yte = train_test_split(x / 16 - 0.3, y, test_size=0.25, stratify=y, random_state=77)
    xtr, xte = torch.tensor(xtr, dtype=torch.float32), torch.tensor(xte, dtype=torch.float32)
    ytr, yte = torch.tensor(ytr), torch.tensor(yte)
    net = DEQ(64, 64, 10)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
    epochs = 24
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    start = time.perf_counter()
    for epoch in range(1, epochs + 1):
        net.train()
        tot = 0.0
        for idx in torch.randperm(len(xtr)).split(64):
            loss = F.cross_entropy(net(xtr[idx]), ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        sched.step()
        back = net.stats["its_back"]
        net.eval()
        with torch.no_grad():
            out = net(xte)
        if epoch % 2 == 0:
            test = F.cross_entropy(out, yte).item()
            acc = (out.argmax(1) == yte).float().mean().item()
            print(f"epoch {epoch:2d}  train {tot / len(xtr):.3f}  test {test:.3f}  acc {acc:.3f}  solver its "
                  f"{net.stats['its']}/{back}  residual {net.stats['res']:.1e}  {time.perf_counter() - start:.1f}s")


if __name__ == "__main__":
    main()
