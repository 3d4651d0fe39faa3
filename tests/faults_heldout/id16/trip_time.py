"""Travel time of a trip from its legs.  One trip at a time, as they come from the planner."""
import json
import random

import torch
from torch import nn

KINDS = ["city", "ring", "motorway", "gravel", "ferry"]
EPOCHS = 14
random.seed(61)
torch.manual_seed(61)

trips = [json.loads(line) for line in open("trips.jsonl")]
random.shuffle(trips)
train, val = trips[:800], trips[800:]
mean = sum(t["minutes"] for t in train) / len(train)
leg_mean = sum(t["minutes"] / len(t["legs"]) for t in train) / len(train)


def encode(trip):
    rush = float(trip["hour"] in (7, 8, 9, 16, 17, 18))
    rows = []
    for kind, km in trip["legs"]:
        which = [float(kind == k) for k in KINDS]
        rows.append(which + [w * km / 4.0 for w in which] + [rush, float(trip["wet"])])
    return torch.tensor(rows).unsqueeze(0), torch.tensor(trip["minutes"] / leg_mean)


class TripTime(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.inp = nn.Sequential(nn.Linear(12, width), nn.SiLU())
        self.rnn = nn.LSTM(width, width, batch_first=True)
        self.leg = nn.Sequential(nn.Linear(2 * width, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, legs):
        e = self.inp(legs)
        h, _ = self.rnn(e)
        return self.leg(torch.cat([e, h], -1)).sum()  # the trip is the sum of its legs


train_xy, val_xy = [encode(t) for t in train], [encode(t) for t in val]
net = TripTime()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
total_steps = EPOCHS * len(train_xy)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: max(1 - s / total_steps, 0.01))

for epoch in range(1, EPOCHS + 1):
    net.train()
    random.shuffle(train_xy)
    loss_sum = 0.0
    for legs, target in train_xy:
        loss = nn.functional.smooth_l1_loss(net(legs), target, beta=0.5)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        sched.step()
        loss_sum += loss.item()
    net.eval()
    with torch.no_grad():
        pairs = [(net(x).item(), t.item()) for x, t in val_xy]
    vloss = sum(nn.functional.smooth_l1_loss(torch.tensor(p), torch.tensor(t), beta=0.5).item() for p, t in pairs) / len(pairs)
    mae = sum(abs(p - t) for p, t in pairs) / len(pairs) * leg_mean
    rel = sum(abs(p - t) / t for p, t in pairs) / len(pairs)
    print(f"epoch {epoch:2d}  train {loss_sum / len(train_xy):.4f}  val {vloss:.4f}  mae {mae:.2f} min  ({100 * rel:.1f} %)")
guess = sum(abs(t["minutes"] - mean) for t in val) / len(val)
print(f"always the average: mae {guess:.2f} min")
