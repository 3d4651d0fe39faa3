"""Price model for flats (price in thousands)."""
import numpy as np
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

SEED = 5
EPOCHS = 30
BATCH = 64
LR = 0.02
MOMENTUM = 0.9
MAX_NORM = 5.0


def read_table(path):
    table = np.genfromtxt(path, delimiter=",", names=True)
    names = [n for n in table.dtype.names if n != "price_k"]
    x = np.stack([table[n] for n in names], 1)
    return x.astype(np.float32), table["price_k"].astype(np.float32)


class Standardizer:
    def fit(self, a):
        self.mean, self.std = a.mean(0), a.std(0)
        return self

    def __call__(self, a):
        return (a - self.mean) / self.std

    def inverse(self, a):
        return a * self.std + self.mean


class Learner:
    """Keeps model, optimizer and the gradient housekeeping together."""

    def __init__(self, model, lr, momentum, max_norm):
        self.model = model
        self.max_norm = max_norm
        self.params = filter(lambda p: p.requires_grad, model.parameters())
        self.opt = torch.optim.SGD(self.params, lr=lr, momentum=momentum)
        self.loss_fn = nn.SmoothL1Loss()

    def clear(self):
        for p in self.params:
            p.grad = None

    def update(self, x, y):
        self.clear()
        loss = self.loss_fn(self.model(x).squeeze(1), y)
        loss.backward()
        clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(SEED)
    x, y = read_table("flats.csv")
    perm = np.random.default_rng(SEED).permutation(len(x))
    tr, te = perm[:2400], perm[2400:]
    xs, ys = Standardizer().fit(x[tr]), Standardizer().fit(y[tr])
    xtr, ytr = torch.from_numpy(xs(x[tr])), torch.from_numpy(ys(y[tr]))
    xte = torch.from_numpy(xs(x[te]))

    model = nn.Sequential(nn.Linear(x.shape[1], 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
    learner = Learner(model, LR, MOMENTUM, MAX_NORM)

    for epoch in range(1, EPOCHS + 1):
        model.train()
        order = torch.randperm(len(xtr))
        losses = [learner.update(xtr[i], ytr[i]) for i in order.split(BATCH)]
        if epoch % 3 == 0:
            model.eval()
            with torch.no_grad():
                pred = ys.inverse(model(xte).squeeze(1).numpy())
            mae = np.abs(pred - y[te]).mean()
            r2 = 1 - ((pred - y[te]) ** 2).sum() / ((y[te] - y[te].mean()) ** 2).sum()
            print(f"epoch {epoch:3d} | loss {np.mean(losses):.4f} | test MAE {mae:.1f}k | R2 {r2:.3f}")


if __name__ == "__main__":
    main()
