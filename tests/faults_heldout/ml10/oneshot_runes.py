"""One-shot recognition of runes: every step is one episode of five unknown signs with a single example each."""
import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy

WAY, SHOT, QUERY = 5, 1, 4
EPISODES, REPORT = 560, 70
SIZE = 20
rng = np.random.default_rng(9)
torch.manual_seed(9)


def draw(strokes):
    """Bitmaps of one sign written by a different hand each time; strokes: [s, 2, 2] end points in the unit square."""
    angle, stretch = rng.normal(0, 0.12), 1 + rng.normal(0, 0.08, 2)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    pts = (strokes - 0.5) * stretch @ turn.T + 0.5 + rng.normal(0, 0.035, 2) + rng.normal(0, 0.045, strokes.shape)
    line = pts[:, :1] + (pts[:, 1:] - pts[:, :1]) * np.linspace(0, 1, 24)[None, :, None]
    grid = (np.arange(SIZE) + 0.5) / SIZE
    dist = ((line.reshape(-1, 2)[:, None, None] - np.stack(np.meshgrid(grid, grid), -1)) ** 2).sum(-1).min(0)
    return np.exp(-dist / 0.0016) + rng.normal(0, 0.3, (SIZE, SIZE))


def alphabet(signs, per_sign):
    anchors = np.array([(a, b) for a in (0.2, 0.5, 0.8) for b in (0.2, 0.5, 0.8)])
    sheets = []
    for _ in range(signs):
        strokes = np.stack([anchors[rng.choice(9, 2, replace=False)] for _ in range(4)])
        sheets.append([draw(strokes) for _ in range(per_sign)])
    return torch.from_numpy(np.array(sheets)).float().unsqueeze(2)


def episode(sheets):
    signs = torch.randperm(len(sheets))[:WAY]
    chosen = torch.stack([sheets[s][torch.randperm(sheets.shape[1])[: SHOT + QUERY]] for s in signs])
    return chosen[:, :SHOT], chosen[:, SHOT:]


class Embedding(nn.Module):
    def __init__(self, width=24, out=48):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, width, 5, stride=2, padding=2), nn.GroupNorm(4, width), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride=2, padding=1), nn.GroupNorm(4, width), nn.ReLU(),
            nn.Flatten(), nn.Linear(width * 25, out),
        )

    def forward(self, x):
        return self.conv(x)


def episode_logits(net, support, query):
    flat = torch.cat([support.flatten(0, 1), query.flatten(0, 1)])
    z = net(flat)
    proto = z[: WAY * SHOT].view(WAY, SHOT, -1).mean(1)
    return -torch.cdist(z[WAY * SHOT:], proto).pow(2) / 8.0


answer = torch.arange(WAY).repeat_interleave(QUERY)
train_signs, new_signs = alphabet(140, 12), alphabet(30, 16)
net = Embedding()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPISODES)

recent = []
for n in range(1, EPISODES + 1):
    net.train()
    loss = cross_entropy(episode_logits(net, *episode(train_signs)), answer)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    recent.append(loss.item())
    if n % REPORT == 0:
        net.eval()
        losses, hits = [], []
        with torch.no_grad():
            for _ in range(80):
                logits = episode_logits(net, *episode(new_signs))
                losses.append(cross_entropy(logits, answer).item())
                hits.append((logits.argmax(1) == answer).float().mean().item())
        print(f"episode {n:4d}  loss {np.mean(recent):.3f} (min {min(recent):.3f}, max {max(recent):.3f})  "
              f"new signs: loss {np.mean(losses):.3f}  accuracy {np.mean(hits):.3f} +- {np.std(hits):.3f}")
        recent.clear()
