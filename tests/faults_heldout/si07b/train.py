"""Genre of two-bar drum loops from their bags of hits (no order, any number of hits).

The order in which loops are visited comes from plan.npy (one row of loop numbers per update) so that all
workers of the lab go through the same updates.
"""
import csv
import pathlib
import time

import numpy as np
import torch
import torch.nn as nn

here = pathlib.Path(__file__).resolve().parent
GENRES = ["house", "breaks", "reggae", "trap", "samba", "rock"]


def load():
    z = np.load(here / "loops.npz")
    hits = torch.from_numpy(z["hits"]).long()       # loop, hit, (step 0-31, drum 0-7, velocity 0-7); drum 255 = no hit
    return hits, torch.from_numpy(z["genre"]).long(), torch.from_numpy(z["held_out"]).bool()


class HitBag(nn.Module):
    def __init__(self, dim=40):
        super().__init__()
        self.step = nn.Embedding(32, dim)
        self.drum = nn.Embedding(8, dim)
        self.vel = nn.Linear(1, dim)
        self.phi = nn.Sequential(nn.Linear(dim, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU())
        self.rho = nn.Sequential(nn.LayerNorm(128), nn.Dropout(0.3), nn.Linear(128, 48), nn.SiLU(), nn.Dropout(0.3),
                                 nn.Linear(48, len(GENRES)))

    def forward(self, hits):
        there = hits[..., 1] != 255
        drum = hits[..., 1].masked_fill(~there, 0)
        v = hits[..., 2:].float() / 3.5 - 1
        h = self.phi(self.step(hits[..., 0]) + self.drum(drum) + self.vel(v))
        w = there.unsqueeze(-1)
        mean = (h * w).sum(1) / w.sum(1).clamp(min=1)
        top = h.masked_fill(~w, -1e4).amax(1)
        return self.rho(torch.cat([mean, top], -1))


def score(net, hits, genre):
    net.eval()
    with torch.no_grad():
        out = net(hits)
    net.train()
    return nn.functional.cross_entropy(out, genre).item(), (out.argmax(-1) == genre).float().mean().item()


def main():
    torch.manual_seed(17)
    hits, genre, held = load()
    plan = torch.from_numpy(np.load(here / "plan.npy").astype(np.int64))
    net = HitBag()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda k: min(1, (k + 1) / 40) * (1 - k / len(plan)))
    t0 = time.time()
    with open(here / "log.csv", "w", newline="") as f:
        log = csv.writer(f)
        log.writerow(["update", "train_loss", "held_loss", "held_acc"])
        mean = None
        for k, rows in enumerate(plan, 1):
            loss = nn.functional.cross_entropy(net(hits[rows]), genre[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            mean = loss.item() if mean is None else 0.95 * mean + 0.05 * loss.item()
            if k % 50 == 0:
                hl, ha = score(net, hits[held], genre[held])
                log.writerow([k, f"{mean:.4f}", f"{hl:.4f}", f"{ha:.4f}"])
                print(f"{k:4d} updates  train {mean:.3f}  held-out {hl:.3f}  acc {ha:.3f}  {time.time() - t0:.1f}s")


main()
