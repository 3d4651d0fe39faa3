import configparser

import numpy as np
import torch

conf = configparser.ConfigParser()
conf.read("complete.ini")
rank = conf.getint("model", "rank")
ridge = conf.getfloat("model", "ridge")
outer = conf.getint("solver", "outer")

table = np.loadtxt("readings.csv", delimiter=",", skiprows=1)
shape = [int(table[:, k].max()) + 1 for k in range(3)]
rng = np.random.default_rng(conf.getint("solver", "seed"))
perm = rng.permutation(len(table))
test, fit = perm[: len(perm) // 6], perm[len(perm) // 6:]
where = torch.from_numpy(table[:, :3].astype(np.int64)).T
value = torch.from_numpy(table[:, 3])
level = value[fit].mean()

torch.manual_seed(conf.getint("solver", "seed"))
torch.set_default_dtype(torch.float64)
A, B, C = [torch.nn.Parameter(torch.randn(n, rank) * 0.7) for n in shape]
offsets = [torch.nn.Parameter(torch.zeros(n)) for n in shape]
everything = [A, B, C, *offsets]


def reconstruct(rows):
    i, j, k = where[:, rows]
    return level + (A[i] * B[j] * C[k]).sum(1) + offsets[0][i] + offsets[1][j] + offsets[2][k]


def objective():
    misfit = (reconstruct(fit) - value[fit]).square().sum()
    return misfit + ridge * sum(p.square().sum() for p in everything)


solver = torch.optim.LBFGS(everything, lr=1.0, max_iter=12, history_size=12, line_search_fn="strong_wolfe")


def closure():
    solver.zero_grad()
    f = objective()
    f.backward()
    return f


for it in range(outer):
    f = solver.step(closure)
    with torch.no_grad():
        r_fit = (reconstruct(fit) - value[fit]).square().mean().sqrt()
        r_test = (reconstruct(test) - value[test]).square().mean().sqrt()
    print(f"round {it:2d}  objective {f.item():12.1f}  rmse fit {r_fit:.3f}  held out {r_test:.3f} ppb")
