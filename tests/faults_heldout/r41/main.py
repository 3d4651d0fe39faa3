"""Binary-weight network with a straight-through estimator."""
import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class SignSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w):
        ctx.save_for_backward(w)
        return torch.where(w >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        return g * (w.abs() <= 1).float()


class BinaryLinear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_out, n_in).uniform_(-0.3, 0.3))
        self.scale = nn.Parameter(torch.full((n_out, 1), n_in ** -0.5))
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        return F.linear(x, SignSTE.apply(self.weight) * self.scale, self.bias)


class BinaryMLP(nn.Module):
    def __init__(self, h=128):
        super().__init__()
        self.a, self.b = BinaryLinear(64, h), BinaryLinear(h, h)
        self.na, self.nb = nn.LayerNorm(h), nn.LayerNorm(h)
        self.out = nn.Linear(h, 10)

    def forward(self, x):
        x = F.relu(self.na(self.a(x)))
        x = F.relu(self.nb(self.b(x)))
        return self.out(x)

    @torch.no_grad()
    def clip_latent(self):
        for m in (self.a, self.b):
            m.weight.clamp_(-1, 1)


def main():
    torch.manual_seed(1)
    X, y = load_digits(return_X_y=True)
    X, y = torch.tensor(X, dtype=torch.float32) / 8 - 0.6, torch.tensor(y)
    p = torch.randperm(len(X))
    tr, va = p[:1400], p[1400:]
    net = BinaryMLP()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=25)
    for epoch in range(25):
        net.train()
        s = 0.0
        for i in tr[torch.randperm(len(tr))].split(50):
            loss = F.cross_entropy(net(X[i]), y[i], label_smoothing=0.05)
            opt.zero_grad()
            loss.backward()
            opt.step()
            net.clip_latent()
            s += loss.item() * len(i)
        sched.step()
        net.eval()
        with torch.no_grad():
            z = net(X[va])
        print(f"{epoch:2d} train {s / len(tr):.4f} val {F.cross_entropy(z, y[va], label_smoothing=0.05).item():.4f} "
              f"acc {(z.argmax(1) == y[va]).float().mean().item():.3f}")


main()
