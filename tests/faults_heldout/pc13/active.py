"""Pool based active learning with MC dropout (BALD) on the digits. A new model is trained in every round."""
import json
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

CFG = json.loads((Path(__file__).parent / "settings.json").read_text())


class ConvNet(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 12, 3, padding=1)
        self.conv2 = nn.Conv2d(12, 24, 3, padding=1)
        self.norm1, self.norm2 = nn.GroupNorm(4, 12), nn.GroupNorm(4, 24)
        self.fc = nn.Linear(24 * 16, 64)
        self.out = nn.Linear(64, 10)
        self.p = p

    def forward(self, x):
        h = F.relu(self.norm1(self.conv1(x)))
        h = F.max_pool2d(F.relu(self.norm2(self.conv2(h))), 2).flatten(1)
        h = F.dropout(h, self.p / 2, self.training)
        h = F.dropout(F.relu(self.fc(h)), self.p, self.training)
        return self.out(h)


def train(x, y, seed):
    torch.manual_seed(seed)
    net = ConvNet(CFG["dropout"])
    opt = torch.optim.Adam(net.parameters(), lr=CFG["lr"], weight_decay=1e-4)
    per_epoch = -(-len(x) // CFG["batch"])
    epochs = -(-CFG["updates"] // per_epoch)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    net.train()
    for _ in range(epochs):
        run = 0.0
        for idx in torch.randperm(len(x)).split(CFG["batch"]):
            loss = F.cross_entropy(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item() * len(idx)
        sched.step()
    return net, run / len(x)


@torch.no_grad()
def accuracy(net, x, y):
    net.eval()
    return (net(x).argmax(1) == y).float().mean().item()


@torch.no_grad()
def bald(net, x, passes):
    """Mutual information between the prediction and the dropout mask."""
    net.train()
    p = torch.stack([net(x).softmax(1) for _ in range(passes)])
    net.eval()
    mean = p.mean(0)
    entropy = -(mean * mean.clamp_min(1e-12).log()).sum(1)
    conditional = -(p * p.clamp_min(1e-12).log()).sum(2).mean(0)
    return entropy - conditional


def campaign(strategy, x, y, xt, yt, start, log):
    labeled = torch.zeros(len(x), dtype=torch.bool)
    labeled[start] = True
    for r in range(CFG["rounds"] + 1):
        net, loss = train(x[labeled], y[labeled], CFG["seed"] + r)
        acc = accuracy(net, xt, yt)
        log.append(acc)
        print(f"{strategy:7s} round {r} labels {int(labeled.sum()):3d} train loss {loss:.3f} test acc {acc:.3f}")
        if r == CFG["rounds"]:
            break
        pool = (~labeled).nonzero().squeeze(1)
        if strategy == "bald":
            pick = pool[bald(net, x[pool], CFG["mc_passes"]).topk(CFG["query"]).indices]
        else:
            pick = pool[torch.randperm(len(pool))[: CFG["query"]]]
        labeled[pick] = True
    return log


def main():
    torch.manual_seed(CFG["seed"])
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16
    y = torch.tensor(d.target)
    perm = torch.randperm(len(x))
    pool, test = perm[:1200], perm[1200:]
    x, y, xt, yt = x[pool], y[pool], x[test], y[test]
    start = torch.cat([(y == c).nonzero().squeeze(1)[:4] for c in range(10)])
    curves = {s: campaign(s, x, y, xt, yt, start, []) for s in ("bald", "random")}
    for s, c in curves.items():
        print(f"{s:7s} final accuracy {c[-1]:.3f}, area under the curve {sum(c) / len(c):.3f}")


if __name__ == "__main__":
    main()
