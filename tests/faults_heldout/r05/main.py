# Day-ahead load forecast with a small net, full-batch quasi-Newton fit
import numpy as np
import torch
from torch import nn

torch.manual_seed(3)
rng = np.random.default_rng(3)

T = 1600
t = np.arange(T)
series = (np.sin(2 * np.pi * t / 24) + 0.5 * np.sin(2 * np.pi * t / 168 + 1)
          + 0.3 * np.sign(np.sin(2 * np.pi * (t + 0.5) / 12)) + 0.05 * rng.normal(size=T)).astype(np.float32)

WIN, H = 48, 6
X = np.stack([series[i:i + WIN] for i in range(T - WIN - H)])
Y = np.stack([series[i + WIN:i + WIN + H] for i in range(T - WIN - H)])
cut = 1200
Xtr, Ytr = torch.from_numpy(X[:cut]), torch.from_numpy(Y[:cut])
Xva, Yva = torch.from_numpy(X[cut + WIN + H:]), torch.from_numpy(Y[cut + WIN + H:])

net = nn.Sequential(nn.Linear(WIN, 24), nn.Tanh(), nn.Linear(24, H))
opt = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=4, history_size=20,
                        line_search_fn="strong_wolfe")
L2 = 2e-4


def closure():
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(Xtr), Ytr) + L2 * sum(p.pow(2).sum() for p in net.parameters())
    loss.backward()
    return loss


for it in range(80):
    loss = opt.step(closure)
    if it % 10 == 0 or it == 79:
        with torch.no_grad():
            val = nn.functional.mse_loss(net(Xva), Yva).item()
            naive = nn.functional.mse_loss(Xva[:, -24:-24 + H], Yva).item()
        print(f"iter {it:3d}  objective {loss.item():.5f}  val mse {val:.5f}  (seasonal naive {naive:.5f})")
