"""Time to failure of pumps in the field (years in service, right-censored)."""
import json

import numpy as np
import torch

from survlib.loss import weibull_nll
from survlib.metrics import concordance
from survlib.net import WeibullNet

torch.manual_seed(6)

with open("pumps.json") as f:
    fleet = json.load(f)
cols = fleet["columns"]
table = np.array(fleet["rows"], dtype=np.float32)
time, event = table[:, cols.index("years")], table[:, cols.index("failed")]
x = table[:, : cols.index("years")]

rng = np.random.default_rng(6)
order = rng.permutation(len(x))
tr, va = order[: int(0.75 * len(x))], order[int(0.75 * len(x)) :]
x = (x - x[tr].mean(0)) / x[tr].std(0)
x, time, event = map(torch.from_numpy, (x, time, event))
print(f"{len(x)} pumps, {event.mean():.0%} failed, median time {time.median():.2f} y")

model = WeibullNet(x.shape[1])
optim = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(1, 31):
    model.train()
    running = 0.0
    for b in torch.from_numpy(rng.permutation(tr)).split(64):
        nll = weibull_nll(*model(x[b]), time[b], event[b])
        optim.zero_grad()
        nll.backward()
        optim.step()
        running += nll.item() * len(b)
    if epoch % 3 == 0:
        model.eval()
        with torch.no_grad():
            s, k = model(x[va])
            v = weibull_nll(s, k, time[va], event[va]).item()
        print(f"epoch {epoch:2d}  nll {running / len(tr):8.4f}  val nll {v:8.4f}  C-index {concordance(-s, time[va], event[va]):.3f}")
