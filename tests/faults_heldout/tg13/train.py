import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from glyphs import GlyphFont

parser = argparse.ArgumentParser(description="Prototypical network, glyph classes of the test are never trained on")
parser.add_argument("--way", type=int, default=8)
parser.add_argument("--shot", type=int, default=2)
parser.add_argument("--query", type=int, default=5)
parser.add_argument("--episodes", type=int, default=700)
parser.add_argument("--seed", type=int, default=14)
args = parser.parse_args()

torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed)
font = GlyphFont(140, seed=2024)
images = torch.from_numpy(np.stack([font.draw(g, 24, rng) for g in range(140)])).unsqueeze(2)
split = rng.permutation(140)
train_cls, test_cls = split[:110], split[110:]


def episode(classes, rng):
    ways = rng.choice(classes, args.way, replace=False)
    picks = [rng.permutation(images.shape[1])[: args.shot + args.query] for _ in ways]
    block = torch.stack([images[w, p] for w, p in zip(ways, picks)])
    support, query = block[:, : args.shot], block[:, args.shot:]
    labels = torch.arange(args.way).repeat_interleave(args.query)
    return support.flatten(0, 1), query.flatten(0, 1), labels


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(), nn.MaxPool2d(2))


embed = nn.Sequential(conv(1, 16), conv(16, 32), conv(32, 32), nn.Flatten(), nn.Linear(128, 32))
optimizer = torch.optim.Adam(embed.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.episodes)


def score(support, query):
    proto = embed(support).view(args.way, args.shot, -1).mean(1)
    return -torch.cdist(embed(query), proto).pow(2) / 8.0


def evaluate(n=60):
    fixed = np.random.default_rng(555)
    embed.eval()
    hits = []
    with torch.no_grad():
        for _ in range(n):
            s, q, y = episode(test_cls, fixed)
            hits.append((score(s, q).argmax(1) == y).float().mean().item())
    embed.train()
    return np.mean(hits), 1.96 * np.std(hits) / np.sqrt(n)


trail = []
for it in range(1, args.episodes + 1):
    s, q, y = episode(train_cls, rng)
    logits = score(s, q)
    loss = F.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    trail.append((loss.item(), (logits.argmax(1) == y).float().mean().item()))
    if it % 100 == 0:
        l, a = np.mean(trail[-100:], axis=0)
        m, ci = evaluate()
        print(f"episode {it:4d} loss {l:.3f} acc {a:.3f} | new glyphs, {args.way}-way {args.shot}-shot {m:.3f} +- {ci:.3f}")
