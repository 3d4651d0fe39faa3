import csv
import json
import math
import pathlib

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

HERE = pathlib.Path(__file__).resolve().parent
CFG = json.loads((HERE / "palynology.json").read_text())
torch.manual_seed(CFG["seed"])
torch.set_num_threads(1)


def read_slide(stem):
    radii = np.load(HERE / f"{stem}_outlines.npy").astype(np.float32)
    with open(HERE / f"{stem}_taxa.csv", newline="") as fh:
        rows = list(csv.DictReader(fh))
    taxa = np.array([CFG["taxa"].index(r["taxon"]) for r in rows])
    assert len(radii) == len(taxa)
    radii = radii / radii.mean(1, keepdims=True) - 1.0
    return torch.from_numpy(radii * 5.0), torch.from_numpy(taxa)


def spin(x, gen):
    # a grain has no "up": rotate the outline and sometimes mirror it
    n, k = x.shape
    shift = torch.randint(k, (n, 1), generator=gen)
    idx = (torch.arange(k)[None] + shift) % k
    out = x.gather(1, idx)
    flip = torch.rand(n, 1, generator=gen) < 0.5
    return torch.where(flip, out.flip(1), out)


class OutlineNet(nn.Module):
    def __init__(self, width, dim):
        super().__init__()
        kw = dict(kernel_size=5, padding=2, padding_mode="circular")
        self.body = nn.Sequential(
            nn.Conv1d(1, width, **kw), nn.ReLU(),
            nn.Conv1d(width, width, **kw), nn.ReLU(),
            nn.Conv1d(width, 2 * width, stride=2, **kw), nn.ReLU(),
        )
        self.project = nn.Linear(4 * width, dim)

    def forward(self, x):
        h = self.body(x[:, None])
        h = torch.cat([h.mean(2), h.amax(2)], 1)
        return F.normalize(self.project(h), dim=1)


def sup_contrast(z, y, tau):
    sim = z @ z.t() / tau
    eye = torch.eye(len(z), dtype=torch.bool)
    logp = sim.masked_fill(eye, -1e9)
    logp = logp - logp.logsumexp(1, keepdim=True)
    same = (y[:, None] == y[None]) & ~eye
    return -(logp * same).sum(1).div(same.sum(1).clamp(min=1)).mean()


def prototypes(net, x, y):
    z = net(x)
    onehot = F.one_hot(y, len(CFG["taxa"])).float()
    return F.normalize(onehot.t() @ z, dim=1)


@torch.no_grad()
def identify(net, protos, x):
    return (net(x) @ protos.t()).argmax(1)


def main():
    gen = torch.Generator().manual_seed(CFG["seed"] + 1)
    xs, ys = read_slide("survey")
    xv, yv = read_slide("reference")
    net = OutlineNet(CFG["width"], CFG["dim"])
    log_temp = nn.Parameter(torch.tensor(math.log(CFG["proto_temperature"])))
    opt = torch.optim.AdamW([
        {"params": net.parameters(), "weight_decay": 1e-3},
        {"params": [log_temp], "weight_decay": 0.0, "lr": CFG["lr"] * 0.2},
    ], lr=CFG["lr"])
    bs, rounds = CFG["batch"], CFG["rounds"]
    steps = rounds * (len(xs) // bs)
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: min(1.0, (s + 1) / 20) * 0.5 * (1 + math.cos(math.pi * min(1.0, s / steps))))

    for rnd in range(1, rounds + 1):
        net.train()
        order = torch.randperm(len(xs), generator=gen)
        tot = seen = hit = 0
        for k in range(0, len(xs) - bs + 1, bs):
            b = order[k:k + bs]
            y = ys[b]
            z1, z2 = net(spin(xs[b], gen)), net(spin(xs[b], gen))
            contrast = sup_contrast(torch.cat([z1, z2]), torch.cat([y, y]), CFG["tau"])
            # episode: view 1 of the first half is the support, view 2 of the second half the query
            h = bs // 2
            onehot = F.one_hot(y[:h], len(CFG["taxa"])).float()
            centre = F.normalize(onehot.t() @ z1[:h], dim=1)
            logits = z2[h:] @ centre.t() / log_temp.exp()
            episode = F.cross_entropy(logits, y[h:])
            loss = CFG["mix"] * contrast + (1 - CFG["mix"]) * episode
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item() * len(b)
            seen += len(b)
            hit += (logits.argmax(1) == y[h:]).sum().item()
        if rnd % 5 == 0 or rnd == 1:
            net.eval()
            with torch.no_grad():
                protos = prototypes(net, xs, ys)
            acc = (identify(net, protos, xv) == yv).float().mean().item()
            print(f"round {rnd:3d}  loss {tot / seen:.4f}  episode acc {2 * hit / seen:.3f}  reference acc {acc:.3f}")

    pred = identify(net, protos, xv)
    for i, name in enumerate(CFG["taxa"]):
        m = yv == i
        print(f"  {name:<12s} recall {(pred[m] == i).float().mean().item():.3f}  (n={int(m.sum())})")
    print(f"reference accuracy: {(pred == yv).float().mean().item():.4f}")


if __name__ == "__main__":
    main()
