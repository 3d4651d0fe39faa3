"""Momentum contrast on 8x8 digits with a queue of negatives, linear evaluation at the end."""
import copy
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression


class Net(nn.Module):
    def __init__(self, dim=128):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 24, 3, padding=1), nn.GroupNorm(4, 24), nn.ReLU(), nn.MaxPool2d(2),
                                  nn.Conv2d(24, 48, 3, padding=1), nn.GroupNorm(4, 48), nn.ReLU(), nn.Flatten())
        self.proj = nn.Sequential(nn.Linear(48 * 16, 128), nn.ReLU(), nn.Linear(128, dim))

    def forward(self, x):
        return F.normalize(self.proj(self.body(x)), dim=1)


def augment(x):
    x = F.pad(x, (1, 1, 1, 1))
    dx, dy = torch.randint(0, 3, (2,)).tolist()
    x = x[:, :, dy:dy + 8, dx:dx + 8]
    x = x * (0.7 + 0.6 * torch.rand(len(x), 1, 1, 1))
    return x + 0.1 * torch.randn_like(x)


class MoCo(nn.Module):
    def __init__(self, dim=128, queue_size=1024, m=0.99, temperature=0.1):
        super().__init__()
        self.q = Net(dim)
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.queue_size, self.m, self.t = queue_size, m, temperature
        self.register_buffer("queue", F.normalize(torch.randn(dim, queue_size), dim=0))

    @torch.no_grad()
    def update_keys(self):
        for pk, pq in zip(self.k.parameters(), self.q.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        # newest keys at the end, drop the oldest ones
        self.queue = torch.cat([self.queue, keys.t()], dim=1)[-self.queue_size:]

    def forward(self, a, b):
        q = self.q(a)
        with torch.no_grad():
            self.update_keys()
            k = self.k(b)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone()
        logits = torch.cat([pos, neg], 1) / self.t
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.enqueue(k)
        return loss


def linear_eval(model, xtr, ytr, xte, yte):
    with torch.no_grad():
        ftr, fte = model.q.body(xtr).numpy(), model.q.body(xte).numpy()
    return LogisticRegression(C=0.1, max_iter=500).fit(ftr, ytr).score(fte, yte)


def main(epochs=18, batch=192):
    torch.manual_seed(4)
    d = load_digits()
    perm = torch.randperm(len(d.target))
    x = torch.tensor(d.images, dtype=torch.float32)[:, None][perm] / 16
    y = d.target[perm.numpy()]
    xtr, xte = x[:1400], x[1400:]
    model = MoCo()
    opt = torch.optim.Adam(model.q.parameters(), lr=1e-3)
    for ep in range(epochs):
        t0, tot, nb = time.time(), 0.0, 0
        for idx in torch.randperm(len(xtr)).split(batch):
            if len(idx) < batch:
                continue
            loss = model(augment(xtr[idx]), augment(xtr[idx]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item(); nb += 1
        if ep % 3 == 0 or ep == epochs - 1:
            print(f"epoch {ep:3d} loss {tot/nb:.4f} time {time.time()-t0:.2f}s", flush=True)
    print("linear eval accuracy", round(linear_eval(model, xtr, y[:1400], xte, y[1400:]), 4))


if __name__ == "__main__":
    main()
