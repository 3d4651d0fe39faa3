import argparse

import pandas as pd
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

ap = argparse.ArgumentParser(description="will the courier accept the offer?")
ap.add_argument("--offers", default="offers.csv")
ap.add_argument("--micro", type=int, default=8)
ap.add_argument("--accumulate", type=int, default=8)
ap.add_argument("--epochs", type=int, default=40)
ap.add_argument("--lr", type=float, default=4e-3)
ap.add_argument("--smoothing", type=float, default=0.05)
ap.add_argument("--seed", type=int, default=5)
args = ap.parse_args()
torch.manual_seed(args.seed)

df = pd.read_csv(args.offers).sample(frac=1, random_state=args.seed)
y = torch.tensor(df.pop("accepted").to_numpy())
df["evening"] = df["hour"].between(18, 20)
x = torch.tensor(df.to_numpy(dtype="float32"))
n_test = len(x) // 4
x_tr, y_tr, x_te, y_te = x[n_test:], y[n_test:], x[:n_test], y[:n_test]
centre, scale = x_tr.mean(0), x_tr.std(0)
x_tr, x_te = (x_tr - centre) / scale, (x_te - centre) / scale
loader = DataLoader(TensorDataset(x_tr, y_tr), batch_size=args.micro, shuffle=True, drop_last=True)

model = nn.Sequential(nn.Linear(x.shape[1], 16), nn.Tanh(), nn.Dropout(0.1), nn.Linear(16, 2))
opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.05)
updates = -(-len(loader) // args.accumulate) * args.epochs
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, updates)


def evaluate(inputs, labels):
    model.eval()
    with torch.no_grad():
        logits = model(inputs)
    return F.cross_entropy(logits, labels).item(), (logits.argmax(1) == labels).float().mean().item()


print(f"{len(x_tr)} offers to learn from, majority share {max(y_te.float().mean(), 1 - y_te.float().mean()):.3f}")
for epoch in range(1, args.epochs + 1):
    model.train()
    for i, (xb, yb) in enumerate(loader):
        group_start = i - i % args.accumulate
        group = min(args.accumulate, len(loader) - group_start)
        loss = F.cross_entropy(model(xb), yb, label_smoothing=args.smoothing) / group
        loss.backward()
        if i - group_start + 1 == group:
            opt.step()
            opt.zero_grad()
            sched.step()
    if epoch % 4 == 0:
        print("epoch %2d  train %.4f / %.3f  test %.4f / %.3f" % (epoch, *evaluate(x_tr, y_tr), *evaluate(x_te, y_te)))
