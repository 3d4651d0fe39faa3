import configparser
import pathlib
import random

import numpy as np
import torch
from torch import nn

from races import FIELDS, pad, read_races

here = pathlib.Path(__file__).parent
cp = configparser.ConfigParser()
cp.read(here / "sled.ini")
random.seed(cp.getint("general", "seed"))
torch.manual_seed(cp.getint("general", "seed"))

centre = np.array([cp.getfloat("centre", f) for f in FIELDS], dtype=np.float32)
scale = np.array([cp.getfloat("scale", f) for f in FIELDS], dtype=np.float32)
past = read_races(here / "past_season.txt", centre, scale)
new = read_races(here / "new_season.txt", centre, scale)
teams = cp.getint("general", "teams")


class Strength(nn.Module):
    """log-strength of a team on a trail: standing ability + how its make-up suits the day"""

    def __init__(self, teams, fields, width):
        super().__init__()
        self.ability = nn.Embedding(teams, 1, sparse=True)
        nn.init.zeros_(self.ability.weight)
        self.day = nn.Sequential(
            nn.Linear(fields, width), nn.Mish(),
            nn.Linear(width, width), nn.Mish(),
            nn.Linear(width, 1, bias=False),
        )

    def forward(self, team, start):
        return (self.ability(team) + self.day(start)).squeeze(-1)


def plackett_luce(s, live):
    # rows are in finishing order: each arrival is a choice among those still on the trail
    s = s.masked_fill(~live, float("-inf"))
    rest = torch.flip(torch.logcumsumexp(torch.flip(s.masked_fill(~live, -1e4), [1]), 1), [1])
    stage = torch.where(live, rest - s.masked_fill(~live, 0.0), torch.zeros_like(rest))
    choices = live.sum(1) - 1
    return (stage.sum(1) / choices).mean()


def concordance(model, races):
    model.eval()
    good = total = wins = 0
    with torch.no_grad():
        for r in races:
            s = model(r.team, r.start)
            upper = torch.triu(torch.ones(len(s), len(s), dtype=torch.bool), 1)
            d = (s[:, None] - s[None, :])[upper]
            good += (d > 0).sum().item()
            total += d.numel()
            wins += int(s.argmax() == 0)
        team, start, live = pad(races)
        nll = plackett_luce(model(team, start), live).item()
    return nll, good / total, wins / len(races)


model = Strength(teams, len(FIELDS), cp.getint("model", "width"))
opt_ability = torch.optim.SparseAdam(model.ability.parameters(), lr=cp.getfloat("optim", "ability_lr"))
opt_day = torch.optim.NAdam(model.day.parameters(), lr=cp.getfloat("optim", "day_lr"),
                            weight_decay=cp.getfloat("optim", "day_decay"), decoupled_weight_decay=True)
seasons = cp.getint("optim", "passes")
size = cp.getint("optim", "races_per_step")
fade = [torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.05, total_iters=seasons) for o in (opt_ability, opt_day)]

order = list(range(len(past)))
for p in range(1, seasons + 1):
    model.train()
    random.shuffle(order)
    acc = []
    for i in range(0, len(order), size):
        team, start, live = pad([past[j] for j in order[i:i + size]])
        loss = plackett_luce(model(team, start), live)
        opt_ability.zero_grad()
        opt_day.zero_grad()
        loss.backward()
        opt_ability.step()
        opt_day.step()
        acc.append(loss.item())
    for f in fade:
        f.step()
    if p % 5 == 0 or p == 1:
        nll, conc, win = concordance(model, new)
        print(f"pass {p:3d}: PL nll {np.mean(acc):.4f} | new season nll {nll:.4f} concordance {conc:.4f} winner picked {win:.3f}")

top = model.ability.weight.detach().squeeze(1).topk(5).indices.tolist()
print("strongest teams:", top)
nll, conc, win = concordance(model, new)
print(f"new season concordance = {conc:.4f}")
