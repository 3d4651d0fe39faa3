"""Learn a voice space: clips of one speaker close, clips of others a margin away."""
import sys

import numpy as np
import torch
import torch.nn.functional as F

MARGIN = 1.0
STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 700
PAIRS = 64


def read(path):
    z = np.load(path)
    return torch.from_numpy(z["clip"].astype(np.float32)), torch.from_numpy(z["speaker"].astype(np.int64))


def init(sizes, gen):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        w = torch.randn(b, a, generator=gen) * (2.0 / a) ** 0.5
        layers.append((w.requires_grad_(), torch.zeros(b, requires_grad=True)))
    return layers


def embed(layers, x):
    for w, b in layers[:-1]:
        x = F.leaky_relu(F.linear(x, w, b), 0.1)
    w, b = layers[-1]
    return F.normalize(F.linear(x, w, b), dim=1)


def distance(a, b):
    return (a - b).square().sum(1).sqrt()


def contrastive(d, same):
    return (same * d.square() + (1 - same) * F.relu(MARGIN - d).square()).mean()


class PairSource:
    """Half of the pairs share a speaker, half do not."""

    def __init__(self, speaker, seed):
        self.rng = np.random.default_rng(seed)
        names = speaker.numpy()
        self.groups = [np.flatnonzero(names == s) for s in np.unique(names)]

    def draw(self, n):
        left, right, same = [], [], []
        for k in range(n):
            s, t = self.rng.choice(len(self.groups), 2, replace=False)
            if k % 2 == 0:
                i, j = self.rng.choice(self.groups[s], 2, replace=False)
            else:
                i, j = self.rng.choice(self.groups[s]), self.rng.choice(self.groups[t])
            left.append(i)
            right.append(j)
            same.append(float(k % 2 == 0))
        return torch.tensor(np.array(left)), torch.tensor(np.array(right)), torch.tensor(same)


def equal_error_rate(d, same):
    score, label = d.numpy(), same.numpy()
    cuts = np.quantile(score, np.linspace(0, 1, 201))
    miss = np.array([(score[label == 1] > c).mean() for c in cuts])
    false = np.array([(score[label == 0] <= c).mean() for c in cuts])
    k = np.abs(miss - false).argmin()
    return (miss[k] + false[k]) / 2


def main():
    clip, speaker = read("enrolled.npz")
    clip_new, speaker_new = read("unseen.npz")
    mu, sd = clip.mean(0), clip.std(0)
    clip, clip_new = (clip - mu) / sd, (clip_new - mu) / sd

    layers = init([clip.shape[1], 64, 16], torch.Generator().manual_seed(7))
    weights = [t for layer in layers for t in layer]
    opt = torch.optim.SGD(weights, lr=0.1, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)
    source = PairSource(speaker, 3)
    probe = PairSource(speaker_new, 4).draw(2000)

    mean = 0.0
    for step in range(1, STEPS + 1):
        i, j, same = source.draw(PAIRS)
        loss = contrastive(distance(embed(layers, clip[i]), embed(layers, clip[j])), same)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        mean += loss.item()
        if step % 70 == 0:
            i, j, same = probe
            with torch.no_grad():
                d = distance(embed(layers, clip_new[i]), embed(layers, clip_new[j]))
            print(f"{step:4d} loss {mean / 70:.4f} | unseen speakers: "
                  f"loss {contrastive(d, same).item():.4f} eer {equal_error_rate(d, same):.3f}")
            mean = 0.0


if __name__ == "__main__":
    main()
