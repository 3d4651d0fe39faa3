import math
import os

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from mtl.net import Shared
from mtl.surgery import HandSGD, flat_grads, project_conflicts

EPOCHS = int(os.getenv("EPOCHS", 30))
torch.manual_seed(15)
gen = torch.Generator().manual_seed(15)


def targets(img):
    """Total ink and centre of mass of each picture."""
    w = img.sum((1, 2))
    r = torch.arange(8.0)
    cy = (img.sum(2) * r).sum(1) / w
    cx = (img.sum(1) * r).sum(1) / w
    return w, torch.stack([cx, cy], 1)


d = load_digits()
itr, ite, ytr, yte = train_test_split(torch.tensor(d.images).float(), torch.tensor(d.target), test_size=0.25,
                                      random_state=2, stratify=d.target)
(wtr, ctr), (wte, cte) = targets(itr), targets(ite)
wm, ws, cm, cs = wtr.mean(), wtr.std(), ctr.mean(0), ctr.std(0)
wtr, wte, ctr, cte = (wtr - wm) / ws, (wte - wm) / ws, (ctr - cm) / cs, (cte - cm) / cs
mean_picture = itr.mean(0)


def camera(img, noise=1.5):
    """One exposure: sensor noise on top of the picture."""
    return ((img + noise * torch.randn(img.shape, generator=gen) - mean_picture) / 8).flatten(1)


xte = camera(ite)

net = Shared()
params = list(net.parameters())
sgd = HandSGD(params, lr=0.016, momentum=0.9)


def task_losses(x, y, w, c):
    z, ink, centre = net(x)
    return F.cross_entropy(z, y), F.mse_loss(ink, w), F.mse_loss(centre, c)


def weighted(ls):
    """Homoscedastic weighting (Kendall et al.): classification 1/s^2, regression 1/(2 s^2), plus log s."""
    s = net.log_sigma
    k = (1.0, 0.5, 0.5)
    return [k[i] * torch.exp(-2 * s[i]) * l + s[i] for i, l in enumerate(ls)]


for ep in range(1, EPOCHS + 1):
    tot, clashes, steps = torch.zeros(3), 0, 0
    sgd.lr = 0.008 * (1 + math.cos(math.pi * (ep - 1) / EPOCHS))
    for b in torch.randperm(len(itr)).split(64):
        ls = task_losses(camera(itr[b]), ytr[b], wtr[b], ctr[b])
        g, c = project_conflicts([flat_grads(l, params) for l in weighted(ls)], gen)
        g = g * min(1.0, 5.0 / (g.norm().item() + 1e-12))
        sgd.apply(g)
        tot += torch.stack([l.detach() for l in ls]); clashes += c; steps += 1
    if ep % 3 == 0 or ep == 1:
        with torch.no_grad():
            te = task_losses(xte, yte, wte, cte)
            acc = (net(xte)[0].argmax(1) == yte).float().mean().item()
        sig = net.log_sigma.exp().tolist()
        print(f"epoch {ep:2d} train " + " ".join(f"{v/steps:.4f}" for v in tot.tolist()) +
              " test " + " ".join(f"{v.item():.4f}" for v in te) +
              f" acc {acc:.4f} conflicts/step {clashes/steps:.2f} sigma " + " ".join(f"{s:.3f}" for s in sig))
