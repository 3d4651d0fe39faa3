"""Physics-informed network for u_t = D u_xx - k u on [0, 1] with u(0,t) = u(1,t) = 0."""
import json
import math
import pathlib

import torch

CFG = json.loads(pathlib.Path(__file__).with_name("problem.json").read_text())
D = CFG["equation"]["diffusivity"]
K = CFG["equation"]["reaction"]
T_END = CFG["equation"]["t_end"]
ACT = {"tanh": torch.nn.Tanh, "silu": torch.nn.SiLU, "gelu": torch.nn.GELU}


def initial(x):
    return torch.sin(math.pi * x) + 0.5 * torch.sin(3 * math.pi * x)


def exact(x, t):
    def decay(n):
        return torch.exp(-(D * (n * math.pi) ** 2 + K) * t)

    return decay(1) * torch.sin(math.pi * x) + 0.5 * decay(3) * torch.sin(3 * math.pi * x)


def build(net):
    dims = [2] + [net["width"]] * net["depth"] + [1]
    layers = []
    for i, (a, b) in enumerate(zip(dims[:-1], dims[1:])):
        layers.append(torch.nn.Linear(a, b))
        if i < len(dims) - 2:
            layers.append(ACT[net["activation"]]())
    return torch.nn.Sequential(*layers)


def initialize(model, spec):
    fill = getattr(torch.nn.init, spec["scheme"] + "_")
    for m in model:
        if isinstance(m, torch.nn.Linear):
            fill(m.weight, gain=spec["gain"])
            torch.nn.init.constant_(m.bias, spec["bias"])


def u(model, x, t):
    return model(torch.cat([2 * x - 1, 2 * t / T_END - 1], dim=1))


def residual(model, x, t):
    x.requires_grad_(True)
    t.requires_grad_(True)
    v = u(model, x, t)
    v_x, v_t = torch.autograd.grad(v.sum(), (x, t), create_graph=True)
    v_xx = torch.autograd.grad(v_x.sum(), x, create_graph=True)[0]
    return v_t - D * v_xx + K * v


def draw(s):
    xi, ti = torch.rand(s["interior"], 1), T_END * torch.rand(s["interior"], 1)
    tb = T_END * torch.rand(s["boundary"], 1)
    xb = (torch.arange(s["boundary"]) % 2).float().unsqueeze(1)
    x0 = torch.rand(s["initial"], 1)
    return (xi, ti), (xb, tb), x0


def solve():
    torch.manual_seed(CFG["seed"])
    model = build(CFG["network"])
    initialize(model, CFG["init"])
    o, w, s = CFG["optimizer"], CFG["weights"], CFG["sampling"]
    opt = torch.optim.Adam(model.parameters(), lr=o["lr"])
    sched = torch.optim.lr_scheduler.StepLR(opt, o["decay_every"], o["decay"])
    gx, gt = torch.meshgrid(torch.linspace(0, 1, 41), torch.linspace(0, T_END, 21), indexing="ij")
    gx, gt = gx.reshape(-1, 1), gt.reshape(-1, 1)
    truth = exact(gx, gt)

    for it in range(1, CFG["iterations"] + 1):
        if (it - 1) % s["resample_every"] == 0:
            (xi, ti), (xb, tb), x0 = draw(s)
        pde = residual(model, xi, ti).pow(2).mean()
        bc = u(model, xb, tb).pow(2).mean()
        ic = (u(model, x0, torch.zeros_like(x0)) - initial(x0)).pow(2).mean()
        loss = w["pde"] * pde + w["boundary"] * bc + w["initial"] * ic
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if it % CFG["report_every"] == 0:
            with torch.no_grad():
                rel = (u(model, gx, gt) - truth).norm() / truth.norm()
            print(f"it {it:5d} loss {loss.item():.3e} pde {pde.item():.2e} bc {bc.item():.2e} "
                  f"ic {ic.item():.2e} rel_l2 {rel.item():.4f}")


if __name__ == "__main__":
    solve()
