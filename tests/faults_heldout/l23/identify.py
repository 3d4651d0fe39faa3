"""Identify the physical constants of a damped, driven pendulum from noisy encoder traces.

The trace is simulated with RK4 inside the graph; the unknowns are held as logarithms, starting from the drawing's values.
"""
import torch

torch.manual_seed(13)
DT, TICKS = 0.06, 44
TRUE = torch.tensor([12.6, 0.42, 0.75])          # g/l, damping, drive gain
DRAWING = torch.tensor([9.0, 0.15, 1.40])


def drive(t, w):
    return torch.sin(w * t)


def rhs(th, om, t, w, c):
    return om, -c[0] * torch.sin(th) - c[1] * om + c[2] * drive(t, w)


def simulate(th, om, w, c):
    out = [th]
    for k in range(TICKS):
        t = k * DT
        a1, b1 = rhs(th, om, t, w, c)
        a2, b2 = rhs(th + DT / 2 * a1, om + DT / 2 * b1, t + DT / 2, w, c)
        a3, b3 = rhs(th + DT / 2 * a2, om + DT / 2 * b2, t + DT / 2, w, c)
        a4, b4 = rhs(th + DT * a3, om + DT * b3, t + DT, w, c)
        th = th + DT / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        om = om + DT / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
        out.append(th)
    return torch.stack(out, 1)


def experiments(n):
    th, om, w = torch.rand(n) * 2 - 1, torch.randn(n), 1 + 3 * torch.rand(n)
    with torch.no_grad():
        clean = simulate(th, om, w, TRUE)
    return th, om, w, clean + 0.02 * torch.randn_like(clean)


train, check = experiments(48), experiments(16)
log_c = torch.nn.Parameter(DRAWING.log())
opt = torch.optim.Adam([log_c], lr=0.05)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.98)

for step in range(1, 171):
    pick = torch.randperm(48)[:16]
    th, om, w, obs = (v[pick] for v in train)
    err = simulate(th, om, w, log_c.exp()) - obs
    loss = err.square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if step % 20 == 0 or step == 1:
        with torch.no_grad():
            rms = (simulate(*check[:3], log_c.exp()) - check[3]).square().mean().sqrt()
        c = log_c.detach().exp()
        print(f"{step:4d}  loss {loss.item():.6f}  check rms {rms:.4f} rad   g/l {c[0]:.3f}  damping {c[1]:.3f}  gain {c[2]:.3f}")
