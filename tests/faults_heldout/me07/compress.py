"""Trains a classifier of pump states for a microcontroller and thins it out to 10 % of its weights."""
import logging

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn.utils import parametrize

logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S", level=logging.INFO)
log = logging.getLogger("compress")
KEEP = [1.0, 0.5, 0.25, 0.1]
EPOCHS = [12, 6, 6, 14]
LR = 2e-3


class Masked(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.register_buffer("mask", torch.ones_like(weight))

    def forward(self, weight):
        return weight * self.mask


def build(n_in, n_out):
    net = nn.Sequential(nn.Linear(n_in, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, n_out))
    for layer in net[::2]:
        parametrize.register_parametrization(layer, "weight", Masked(layer.weight))
    return net


def thin(net, keep):
    """One global threshold on the magnitude of the weights that are still alive."""
    layers = [m for m in net if isinstance(m, nn.Linear)]
    with torch.no_grad():
        size = torch.cat([m.weight.abs().flatten() for m in layers])
        cut = torch.topk(size, max(1, int(keep * size.numel()))).values[-1]
        for m in layers:
            m.parametrizations.weight[0].mask.copy_((m.weight.abs() >= cut).float())


def measure(net, x, y):
    net.eval()
    with torch.no_grad():
        z = net(x)
    return F.cross_entropy(z, y).item(), (z.argmax(1) == y).float().mean().item()


def fit(net, x, y, xv, yv, epochs, lr):
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    steps = epochs * -(-len(x) // 128)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps, eta_min=lr * 0.02)
    for epoch in range(epochs):
        net.train()
        total = 0.0
        for b in torch.randperm(len(x)).split(128):
            loss = F.cross_entropy(net(x[b]), y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(b)
        if epoch % 3 == 2 or epoch == epochs - 1:
            log.info("   epoch %2d  train %.4f  val %.4f", epoch + 1, total / len(x), measure(net, xv, yv)[0])


def main():
    torch.manual_seed(6)
    z = np.load("bands.npz")
    x, y = z["x"].astype("float32"), z["state"].astype("int64")
    x, xt, y, yt = train_test_split(x, y, test_size=1000, random_state=0, stratify=y)
    x, xv, y, yv = train_test_split(x, y, test_size=800, random_state=0, stratify=y)
    m, s = x.mean(0), x.std(0)
    x, xv, xt = (torch.from_numpy((a - m) / s) for a in (x, xv, xt))
    y, yv, yt = (torch.from_numpy(a) for a in (y, yv, yt))
    net = build(x.shape[1], 5)
    for keep, epochs in zip(KEEP, EPOCHS):
        if keep < 1.0:
            thin(net, keep)
            log.info("kept %.0f %%: val %.4f right after", 100 * keep, measure(net, xv, yv)[0])
        fit(net, x, y, xv, yv, epochs, LR)
        log.info("kept %.0f %%: test loss %.4f  accuracy %.4f", 100 * keep, *measure(net, xt, yt))


if __name__ == "__main__":
    main()
