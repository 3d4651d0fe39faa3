import argparse
import copy

import numpy as np
import pandas as pd
import torch
from sklearn.model_selection import train_test_split
from torch import nn

ap = argparse.ArgumentParser(description="Cox proportional hazards with a neural risk score")
ap.add_argument("--seed", type=int, default=21)
ap.add_argument("--epochs", type=int, default=150)
ap.add_argument("--lr", type=float, default=2e-3)
ap.add_argument("--patience", type=int, default=30)
args = ap.parse_args()
torch.manual_seed(args.seed)

df = pd.read_csv("cohort.csv")
df["log_marker"] = np.log(df.marker)
cols = ["age", "sex", "stage", "log_marker", "bmi", "treated"]
rest, test = train_test_split(df, test_size=0.25, random_state=args.seed, stratify=df.event)
train, val = train_test_split(rest, test_size=0.2, random_state=args.seed, stratify=rest.event)
mu, sd = train[cols].mean(), train[cols].std()


def pack(d):
    x = torch.tensor(((d[cols] - mu) / sd).to_numpy(), dtype=torch.float32)
    t = torch.tensor(d.months.to_numpy(), dtype=torch.float32)
    e = torch.tensor(d.event.to_numpy(), dtype=torch.float32)
    return x, t, e


def cox_loss(risk, time, event):
    """Negative log partial likelihood (Breslow). Censored patients only count in the risk sets."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, 0)
    return -((risk - log_cum) * event).sum() / event.sum()


def c_index(risk, time, event):
    r, t, e = risk.numpy(), time.numpy(), event.numpy()
    comparable = (t[:, None] < t[None, :]) & (e[:, None] == 1)
    win = (r[:, None] > r[None, :]) + 0.5 * (r[:, None] == r[None, :])
    return (win * comparable).sum() / comparable.sum()


(xt, tt, et), (xv, tv, ev), (xs, ts, es) = pack(train), pack(val), pack(test)
print(f"{len(tt)} patients for training, {et.mean():.0%} with an observed event")
net = nn.Sequential(nn.Linear(len(cols), 24), nn.SELU(), nn.Dropout(0.1), nn.Linear(24, 12), nn.SELU(),
                    nn.Linear(12, 1, bias=False))
opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=0.02)

best, best_state, wait = np.inf, None, 0
for epoch in range(args.epochs):
    net.train()
    running = []
    for idx in torch.randperm(len(xt)).chunk(4):
        loss = cox_loss(net(xt[idx]).squeeze(1), tt[idx], et[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        running.append(loss.item())
    net.eval()
    with torch.no_grad():
        rv = net(xv).squeeze(1)
        vl = cox_loss(rv, tv, ev).item()
    if vl < best - 1e-4:
        best, best_state, wait = vl, copy.deepcopy(net.state_dict()), 0
    else:
        wait += 1
    if epoch % 10 == 0:
        print(f"epoch {epoch:3d} partial-likelihood {np.mean(running):.4f} val {vl:.4f} val c-index {c_index(rv, tv, ev):.4f}")
    if wait >= args.patience:
        print(f"stopped at epoch {epoch}")
        break

net.load_state_dict(best_state)
net.eval()
with torch.no_grad():
    print(f"test c-index {c_index(net(xs).squeeze(1), ts, es):.4f}")
