"""Few-shot digits with prototypes: 5-way episodes, tested on images kept out of training."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class Encoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.GroupNorm(4, 32), nn.ReLU(), nn.MaxPool2d(2))
        self.proj = nn.Linear(32 * 2 * 2, dim)

    def forward(self, x):
        return self.proj(self.features(x).flatten(1))


class Episodes:
    def __init__(self, images, labels, classes, way, shot, query, seed):
        self.pools = {c: images[labels == c] for c in classes}
        self.way, self.shot, self.query = way, shot, query
        self.rng = np.random.default_rng(seed)

    def sample(self):
        sup, qry = [], []
        for c in self.rng.choice(sorted(self.pools), self.way, replace=False):
            pool = self.pools[c]
            idx = self.rng.permutation(len(pool))[: self.shot + self.query]
            sup.append(pool[idx[: self.shot]])
            qry.append(pool[idx[self.shot:]])
        target = torch.arange(self.way).repeat_interleave(self.query)
        return torch.stack(sup), torch.cat(qry), target


def distances(net, support, query):
    way, shot = support.shape[:2]
    protos = net(support.flatten(0, 1)).view(way, shot, -1).mean(1)
    q = net(query)
    return ((q[:, None] - protos[None]) ** 2).sum(-1) / q.shape[1] ** 0.5


def episode_loss(dist, target):
    log_p = F.log_softmax(dist, dim=1)
    return F.nll_loss(log_p, target)


def evaluate(net, episodes, n=40):
    net.eval()
    hits = []
    with torch.no_grad():
        for _ in range(n):
            s, q, t = episodes.sample()
            hits.append((distances(net, s, q).argmin(1) == t).float().mean())
    net.train()
    return torch.stack(hits).mean().item()


def run(n_episodes=500):
    torch.manual_seed(8)
    bunch = load_digits()
    imgs = torch.tensor(bunch.images, dtype=torch.float32)[:, None] / 8 - 1
    labels = bunch.target
    train = Episodes(imgs[:1300], labels[:1300], range(10), way=5, shot=4, query=6, seed=1)
    held = Episodes(imgs[1300:], labels[1300:], range(10), way=5, shot=4, query=10, seed=2)
    net = Encoder()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    recent = []
    for it in range(1, n_episodes + 1):
        s, q, t = train.sample()
        loss = episode_loss(distances(net, s, q), t)
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent.append(loss.item())
        if it % 100 == 0:
            print(f"episode {it:4d}  loss {np.mean(recent):.4f}  "
                  f"train {evaluate(net, train):.3f}  held-out {evaluate(net, held):.3f}")
            recent.clear()


if __name__ == "__main__":
    run()
