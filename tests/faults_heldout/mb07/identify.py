"""Identify damping and stiffness of x'' + c x' + k x = 0 from a noisy record, with a network as the trajectory."""
import numpy as np
import torch

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)

record = torch.from_numpy(np.loadtxt("pendulum.csv", delimiter=","))
t_all, x_all = record[:, :1], record[:, 1:]
test = torch.zeros(len(record), dtype=torch.bool)
test[2::4] = True
t, x = t_all[~test], x_all[~test]
T = 6.0
grid = torch.linspace(0.0, T, 200).unsqueeze(1).requires_grad_(True)

net = torch.nn.Sequential(
    torch.nn.Linear(1, 32), torch.nn.Tanh(),
    torch.nn.Linear(32, 32), torch.nn.Tanh(),
    torch.nn.Linear(32, 1),
)
with torch.no_grad():
    # spread the knees of the first layer over the record
    net[0].weight.uniform_(-6.0, 6.0)
    net[0].bias.uniform_(-4.0, 4.0)
log_c = torch.nn.Parameter(torch.tensor(0.0))
log_k = torch.nn.Parameter(torch.tensor(1.0))


def path(t):
    return net(2.0 * t / T - 1.0)


def d(y, t):
    return torch.autograd.grad(y.sum(), t, create_graph=True)[0]


def terms():
    y = path(grid)
    v = d(y, grid)
    a = d(v, grid)
    residual = a + log_c.exp() * v + log_k.exp() * y
    return ((path(t) - x) ** 2).mean(), (residual ** 2).mean()


params = list(net.parameters()) + [log_c, log_k]
opt = torch.optim.LBFGS(params, lr=1.0, max_iter=50, history_size=50, line_search_fn="strong_wolfe")
weight = 1e-2


def closure():
    opt.zero_grad()
    data, physics = terms()
    loss = data + weight * physics
    loss.backward()
    return loss


for outer in range(12):
    opt.step(closure)
    if outer % 2 == 1:
        data, physics = terms()
        with torch.no_grad():
            held = ((path(t_all[test]) - x_all[test]) ** 2).mean()
        print(f"{outer + 1:3d}  data {data.item():.3e}  physics {physics.item():.3e}  held-out {held.item():.3e}  "
              f"c {log_c.exp().item():.3f}  k {log_k.exp().item():.3f}")

print(f"held-out rmse {held.sqrt().item():.4f} (spread of the record {x_all.std().item():.3f})")
