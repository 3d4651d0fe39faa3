"""Prototypical networks on procedurally drawn characters: 5-way 3-shot, classes of val are never seen in train."""
import numpy as np
import torch
import torch.nn as nn


def draw_class(rng):
    """A character is a polyline of 4-6 strokes' end points."""
    return rng.uniform(2, 14, size=(rng.integers(4, 7), 2))


def render(points, rng, size=16):
    p = points + rng.normal(0, 0.85, points.shape)
    ang, sc = rng.normal(0, 0.25), rng.normal(1, 0.12)
    rot = sc * np.array([[np.cos(ang), -np.sin(ang)], [np.sin(ang), np.cos(ang)]])
    p = (p - 8) @ rot.T + 8 + rng.normal(0, 1.0, 2)
    yy, xx = np.mgrid[:size, :size] + 0.5
    img = np.zeros((size, size))
    for a, b in zip(p[:-1], p[1:]):
        d = b - a
        t = np.clip(((xx - a[0]) * d[0] + (yy - a[1]) * d[1]) / (d @ d + 1e-6), 0, 1)
        dist2 = (xx - a[0] - t * d[0]) ** 2 + (yy - a[1] - t * d[1]) ** 2
        img = np.maximum(img, np.exp(-dist2))
    return img + rng.normal(0, 0.15, img.shape)


def build(n_classes, per_class, seed):
    rng = np.random.default_rng(seed)
    out = np.stack([[render(c, rng) for _ in range(per_class)] for c in (draw_class(rng) for _ in range(n_classes))])
    return torch.tensor(out, dtype=torch.float32).unsqueeze(2) * 2 - 0.5     # class, sample, 1, 16, 16


class Episodes:
    def __init__(self, data, way, shot, query, gen):
        self.data, self.way, self.shot, self.query, self.gen = data, way, shot, query, gen

    def sample(self):
        n_cls, n_img = self.data.shape[:2]
        cls = torch.randperm(n_cls, generator=self.gen)[:self.way]
        pick = torch.stack([torch.randperm(n_img, generator=self.gen)[:self.shot + self.query] for _ in cls])
        x = self.data[cls[:, None], pick]
        return x[:, :self.shot], x[:, self.shot:]


class ConvEmbed(nn.Module):
    def __init__(self, w=24):
        super().__init__()
        blk = lambda i, o: [nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(), nn.MaxPool2d(2)]
        self.net = nn.Sequential(*blk(1, w), *blk(w, w), *blk(w, w), nn.Flatten())

    def forward(self, x):
        return self.net(x)


def episode_logits(net, support, query):
    way, shot = support.shape[:2]
    emb = net(torch.cat([support.flatten(0, 1), query.flatten(0, 1)]))
    proto = emb[:way * shot].view(way, shot, -1).mean(1)
    q = emb[way * shot:]
    target = torch.arange(way).repeat_interleave(query.size(1))
    return -torch.cdist(q, proto).pow(2) / emb.size(1) ** 0.5, target


def evaluate(net, episodes, n):
    net.eval()
    acc = []
    with torch.no_grad():
        for _ in range(n):
            logits, t = episode_logits(net, *episodes.sample())
            acc.append((logits.argmax(1) == t).float().mean().item())
    return np.mean(acc), 1.96 * np.std(acc) / len(acc) ** 0.5


def main():
    torch.manual_seed(12)
    train, val = build(180, 12, 1), build(30, 12, 2)
    tr = Episodes(train, 5, 3, 5, torch.Generator().manual_seed(3))
    net = ConvEmbed()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=120, gamma=0.5)
    m, ci = evaluate(nn.Flatten(), Episodes(val, 5, 3, 5, torch.Generator().manual_seed(4)), 40)
    print(f"raw pixels val acc {m:.3f} +- {ci:.3f}")
    avg = 0.0
    for it in range(1, 301):
        net.train()
        logits, t = episode_logits(net, *tr.sample())
        loss = nn.functional.cross_entropy(logits, t)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        avg += loss.item() / 50
        if it % 50 == 0:
            m, ci = evaluate(net, Episodes(val, 5, 3, 5, torch.Generator().manual_seed(4)), 40)
            print(f"episode {it} loss {avg:.4f} val acc {m:.3f} +- {ci:.3f}", flush=True)
            avg = 0.0


if __name__ == "__main__":
    main()
