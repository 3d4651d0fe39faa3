"""Prototypical networks on hand-drawn glyphs, 5-way 5-shot; the alphabets of training and test do not overlap."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

WAY, SHOT, QUERY = 5, 5, 10


class Episodes:
    def __init__(self, ink, classes, seed):
        self.ink, self.classes, self.rng = ink, classes, np.random.default_rng(seed)

    def draw(self):
        picked = self.rng.choice(self.classes, WAY, replace=False)
        support, query = [], []
        for c in picked:
            k = self.rng.permutation(self.ink.shape[1])
            support.append(self.ink[c, k[:SHOT]])
            query.append(self.ink[c, k[SHOT:SHOT + QUERY]])
        # within an episode the classes are simply numbered 0..4
        return torch.stack(support), torch.stack(query), torch.arange(WAY).repeat_interleave(QUERY)


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(), nn.MaxPool2d(2))


class Embedder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(block(1, width), block(width, width), block(width, width), nn.Flatten())

    def forward(self, support, query):
        n = WAY * SHOT
        z = self.net(torch.cat([support.flatten(0, 1), query.flatten(0, 1)]).unsqueeze(1))
        proto = z[:n].view(WAY, SHOT, -1).mean(1)
        return -torch.cdist(z[n:], proto).square() / 4


def accuracy(score, episodes, count):
    with torch.no_grad():
        hits = []
        for _ in range(count):
            s, q, y = episodes.draw()
            hits.append((score(s, q).argmax(1) == y).float().mean().item())
    return float(np.mean(hits))


def main(iterations=600, lr=1e-3):
    torch.manual_seed(31)
    ink = torch.from_numpy(np.load("glyphs.npz")["ink"].astype(np.float32) / 15 * 2 - 1)
    classes = np.random.default_rng(31).permutation(len(ink))
    seen, unseen = classes[:80], classes[80:]
    train = Episodes(ink, seen, 1)
    pixels = lambda s, q: -torch.cdist(q.flatten(0, 1).flatten(1), s.mean(1).flatten(1))
    print(f"nearest mean image, unseen classes: {accuracy(pixels, Episodes(ink, unseen, 2), 100):.3f}")

    net = Embedder()
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.StepLR(opt, 200, 0.5)
    loss_sum = 0.0
    for it in range(1, iterations + 1):
        net.train()
        s, q, y = train.draw()
        loss = F.cross_entropy(net(s, q), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        loss_sum += loss.item()
        if it % 100 == 0:
            net.eval()
            print(f"{it} episodes: loss {loss_sum / 100:.3f}  seen {accuracy(net, Episodes(ink, seen, 3), 60):.3f}  "
                  f"unseen {accuracy(net, Episodes(ink, unseen, 2), 100):.3f}")
            loss_sum = 0.0


main()
