"""Physics-informed network for u_t = k u_xx on [0,1]: recover k from 60 noisy probes. Adam first, then L-BFGS."""
import math

import torch
from torch import nn

torch.manual_seed(14)
torch.set_default_dtype(torch.float64)
K_TRUE = 0.08


def exact(x, t):
    a = torch.exp(-K_TRUE * math.pi ** 2 * t) * torch.sin(math.pi * x)
    b = 0.5 * torch.exp(-K_TRUE * 9 * math.pi ** 2 * t) * torch.sin(3 * math.pi * x)
    return a + b


class Net(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.l = nn.ModuleList([nn.Linear(2, width), nn.Linear(width, width), nn.Linear(width, 1)])
        for m in self.l:
            nn.init.xavier_normal_(m.weight)
            nn.init.zeros_(m.bias)
        self.log_k = nn.Parameter(torch.tensor(math.log(0.5)))

    def forward(self, x, t):
        h = torch.cat([2 * x - 1, 2 * t - 1], 1)
        h = torch.tanh(self.l[0](h))
        h = torch.tanh(self.l[1](h))
        return self.l[2](h) * x * (1 - x) * 4        # zero at both walls by construction


net = Net()
xc, tc = torch.rand(400, 1), torch.rand(400, 1)
x0 = torch.linspace(0, 1, 40).unsqueeze(1)
t0 = torch.zeros_like(x0)
xd, td = torch.rand(60, 1), torch.rand(60, 1)
ud = exact(xd, td) + 0.005 * torch.randn(60, 1)


def losses():
    x, t = xc.clone().requires_grad_(True), tc.clone().requires_grad_(True)
    u = net(x, t)
    ut, ux = torch.autograd.grad(u.sum(), (t, x), create_graph=True)
    (uxx,) = torch.autograd.grad(ux.sum(), x, create_graph=True)
    pde = (ut - net.log_k.exp() * uxx).square().mean()
    init = (net(x0, t0) - exact(x0, t0)).square().mean()
    data = (net(xd, td) - ud).square().mean()
    return pde, init, data


def total():
    pde, init, data = losses()
    return 0.1 * pde + init + data


def report(tag):
    gx, gt = torch.meshgrid(torch.linspace(0, 1, 41), torch.linspace(0, 1, 41), indexing="ij")
    gx, gt = gx.reshape(-1, 1), gt.reshape(-1, 1)
    with torch.no_grad():
        ref = exact(gx, gt)
        rel = ((net(gx, gt) - ref).norm() / ref.norm()).item()
    pde, init, data = (v.item() for v in losses())
    print(f"{tag:>12s} pde {pde:.3e} init {init:.3e} data {data:.3e} rel. error {rel:.4f} k {net.log_k.exp().item():.4f}")


adam = torch.optim.Adam(net.parameters(), lr=5e-3)
for it in range(1, 701):
    adam.zero_grad()
    loss = total()
    loss.backward()
    adam.step()
    if it % 100 == 0 or it == 1:
        report(f"adam {it}")

lbfgs = torch.optim.LBFGS(net.parameters(), max_iter=30, history_size=40, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = total()
    loss.backward()
    return loss


for outer in range(1, 16):
    lbfgs.step(closure)
    if outer % 3 == 0:
        report(f"lbfgs {outer}")
print(f"diffusivity: estimated {net.log_k.exp().item():.4f}, true {K_TRUE}")
