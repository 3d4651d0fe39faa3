import copy
import tomllib

import torch
from sklearn.metrics import average_precision_score
from torch.nn.functional import binary_cross_entropy_with_logits as bce

from fraud.data import prepare
from fraud.model import build

with open("settings.toml", "rb") as f:
    s = tomllib.load(f)
torch.manual_seed(s["seed"])
xt, yt, xv, yv = prepare(s["file"], s["val_share"], s["seed"])
model = build(xt.shape[1], s["hidden"])
opt = torch.optim.AdamW(model.parameters(), lr=s["lr"], weight_decay=1e-3)
print(f"train {len(xt)} val {len(xv)}")

best, best_state = float("inf"), None
for epoch in range(1, s["epochs"] + 1):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(xt)).split(s["batch"]):
        loss = bce(model(xt[idx]), yt[idx].float())
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    model.eval()
    with torch.no_grad():
        z = model(xv)
        vl = bce(z, yv.float()).item()
    if vl < best:
        best, best_state = vl, copy.deepcopy(model.state_dict())
    if epoch % 3 == 0:
        print(f"epoch {epoch:2d} train {total / len(xt):.4f} val {vl:.4f} ap {average_precision_score(yv, z):.3f}")
model.load_state_dict(best_state)
print(f"kept the model with val loss {best:.4f}")
