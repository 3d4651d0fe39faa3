import argparse
import tomllib

import torch
from torch import nn

from claims.metrics import average_precision, roc_auc
from claims.net import ClaimNet
from claims.table import make_loaders

ap = argparse.ArgumentParser()
ap.add_argument("--params", default="params.toml")
args = ap.parse_args()
with open(args.params, "rb") as f:
    P = tomllib.load(f)

torch.manual_seed(P["train"]["seed"])
loader, (xv, tv), ratio = make_loaders(**P["data"])
model = ClaimNet()
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(ratio))
opt = torch.optim.AdamW(model.parameters(), lr=P["train"]["max_lr"] / 10, weight_decay=P["train"]["weight_decay"])
k = P["train"]["accumulate"]
updates = P["train"]["epochs"] * (len(loader) // k)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, P["train"]["max_lr"], total_steps=updates)

for epoch in range(P["train"]["epochs"]):
    model.train()
    seen = []
    micro = 0
    for x, t in loader:
        if micro // k == len(loader) // k:
            break
        loss = criterion(model(x), t)
        (loss / k).backward()
        seen.append(loss.item())
        micro += 1
        if micro % k == 0:
            opt.step()
            opt.zero_grad()
            sched.step()
    model.eval()
    with torch.no_grad():
        s = model(xv)
        vl = criterion(s, tv).item()
    print(f"epoch {epoch:2d}  weighted loss {sum(seen) / len(seen):.3f} (last {seen[-1]:.2f})  held-out {vl:.3f}  "
          f"AP {average_precision(s, tv):.3f}  AUC {roc_auc(s, tv):.3f}  prevalence {tv.mean():.3f}")
