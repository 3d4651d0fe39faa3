# Generator for beam-spot positions (Wasserstein critic with gradient penalty)
import configparser

import numpy as np
import torch
from torch import nn

cfg = configparser.ConfigParser()
cfg.read("wgan.ini")
C, T = cfg["model"], cfg["training"]
torch.manual_seed(T.getint("seed"))

spots = np.loadtxt("spots.csv", delimiter=",", skiprows=1).astype("float32")
perm = np.random.RandomState(0).permutation(len(spots))
test, train = spots[perm[:1000]], spots[perm[1000:]]
mu, sd = train.mean(0), train.std(0)
train = torch.from_numpy((train - mu) / sd)
test = torch.from_numpy((test - mu) / sd)


def mlp(sizes, act):
    layers = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(a, b))
        if i < len(sizes) - 2:
            layers.append(act())
    return nn.Sequential(*layers)


zdim, width = C.getint("latent"), C.getint("width")
G = mlp([zdim, width, width, 2], nn.ReLU)
D = mlp([2, width, width, 1], lambda: nn.LeakyReLU(0.2))
lr, betas = T.getfloat("lr"), (0.5, 0.9)
g_opt = torch.optim.Adam(G.parameters(), lr=lr, betas=betas)
d_opt = torch.optim.Adam(D.parameters(), lr=lr, betas=betas)
steps, bs, n_critic, lam = T.getint("steps"), T.getint("batch"), T.getint("n_critic"), T.getfloat("gp")
decay = lambda s: 1.0 if s < steps // 2 else max(0.02, 2.0 * (1 - s / steps))
g_sched = torch.optim.lr_scheduler.LambdaLR(g_opt, decay)
d_sched = torch.optim.lr_scheduler.LambdaLR(d_opt, decay)


def grad_penalty(real, fake):
    eps = torch.rand(len(real), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    (g,) = torch.autograd.grad(D(mix).sum(), mix, create_graph=True)
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


@torch.no_grad()
def sliced_wasserstein(a, b, n_proj=64):
    th = torch.linspace(0, np.pi, n_proj + 1)[:-1]
    dirs = torch.stack([th.cos(), th.sin()])
    return (torch.sort(a @ dirs, 0)[0] - torch.sort(b @ dirs, 0)[0]).abs().mean().item()


def batches():
    while True:
        for idx in torch.randperm(len(train)).split(bs):
            if len(idx) == bs:
                yield train[idx]


stream = batches()
print("floor (train vs test): %.4f" % sliced_wasserstein(train[:1000], test))
eval_z = torch.randn(1000, zdim)
for step in range(steps + 1):
    if step % 150 == 0:
        with torch.no_grad():
            s = G(eval_z)
        print("step %4d  swd %.4f" % (step, sliced_wasserstein(s, test)), end="")
        print("" if step == 0 else "   critic %.3f  gen %.3f" % (d_loss.item(), g_loss.item()))
    for _ in range(n_critic):
        real = next(stream)
        with torch.no_grad():
            fake = G(torch.randn(bs, zdim))
        d_loss = D(fake).mean() - D(real).mean() + lam * grad_penalty(real, fake)
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()
    g_loss = -D(G(torch.randn(bs, zdim))).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    g_sched.step()
    d_sched.step()

with torch.no_grad():
    out = G(torch.randn(2000, zdim)).numpy() * sd + mu
print("generated mean", out.mean(0).round(2), "std", out.std(0).round(2), "| data mean", mu.round(2), "std", sd.round(2))
