import csv
import json
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

HERE = Path(__file__).parent
cfg = json.loads((HERE / "settings.json").read_text())
torch.manual_seed(cfg["seed"])

with open(HERE / cfg["table"]) as fh:
    rows = list(csv.DictReader(fh))

clubs = {name: i for i, name in enumerate(sorted({r["home"] for r in rows}))}
outcome = {"A": 0, "D": 1, "H": 2}


def tensors(subset):
    h = torch.tensor([clubs[r["home"]] for r in subset])
    a = torch.tensor([clubs[r["away"]] for r in subset])
    y = torch.tensor([outcome[r["result"]] for r in subset])
    return TensorDataset(h, a, y)


late = set(cfg["holdout_seasons"])
train = tensors([r for r in rows if r["season"] not in late])
test = tensors([r for r in rows if r["season"] in late])


class OrderedLogit(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.strength = nn.Embedding(n, 1)
        nn.init.zeros_(self.strength.weight)
        self.home_edge = nn.Parameter(torch.zeros(()))
        self.log_width = nn.Parameter(torch.tensor(-0.7))

    def forward(self, home, away):
        gap = self.home_edge + (self.strength(home) - self.strength(away)).squeeze(-1)
        w = self.log_width.exp()
        below = torch.sigmoid(-w - gap)
        above = torch.sigmoid(gap - w)
        middle = 1.0 - below - above
        return torch.stack([below, middle, above], dim=-1).clamp_min(1e-6).log()


model = OrderedLogit(len(clubs))
groups = [
    {"params": model.strength.parameters(), "weight_decay": cfg["l2"]},
    {"params": [model.home_edge, model.log_width], "weight_decay": 0.0},
]
opt = torch.optim.Adam(groups, lr=cfg["lr"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])
nll = nn.NLLLoss()
loader = DataLoader(train, batch_size=cfg["batch"], shuffle=True)


def rps(logp, y):
    p = logp.exp().cumsum(-1)
    o = torch.nn.functional.one_hot(y, 3).cumsum(-1)
    return ((p - o) ** 2).sum(-1).mean().item() / 2


for epoch in range(1, cfg["epochs"] + 1):
    model.train()
    acc = n = 0.0
    for h, a, y in loader:
        loss = nll(model(h, a), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc += loss.item() * len(y)
        n += len(y)
    sched.step()
    model.eval()
    with torch.no_grad():
        h, a, y = test.tensors
        logp = model(h, a)
        print(f"{epoch:3d} train {acc / n:.4f} held-out {nll(logp, y).item():.4f} "
              f"rps {rps(logp, y):.4f} hit {(logp.argmax(-1) == y).float().mean().item():.3f}")

table = sorted(zip(model.strength.weight.squeeze(-1).tolist(), clubs), reverse=True)
print("home edge", round(model.home_edge.item(), 3))
for v, club in table[:5]:
    print(f"{club:10s} {v:+.2f}")
