import argparse

import numpy as np
import pandas as pd
import torch
from sklearn.metrics import average_precision_score, f1_score, precision_recall_curve, precision_score, recall_score
from sklearn.model_selection import train_test_split
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--file", default="transactions.csv")
parser.add_argument("--epochs", type=int, default=30)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
torch.manual_seed(args.seed)

df = pd.read_csv(args.file)
hour = 2 * np.pi * df.hour / 24
X = np.column_stack([np.log(df.amount), np.sin(hour), np.cos(hour), df.account_days, df.tx_last_hour,
                     df.foreign, df.new_device]).astype(np.float32)
y = df.fraud.to_numpy().astype(np.float32)

dev, test = train_test_split(np.arange(len(y)), test_size=0.25, stratify=y, random_state=args.seed)
train, val = train_test_split(dev, test_size=0.25, stratify=y[dev], random_state=args.seed)
X = torch.from_numpy((X - X[train].mean(0)) / X[train].std(0))
Y = torch.from_numpy(y)
base_rate = y[train].mean()
print(f"fraud share {base_rate:.3%} of {len(train)} training transactions")

net = nn.Sequential(nn.Linear(X.shape[1], 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1))
with torch.no_grad():
    net[-1].bias.fill_(float(np.log(base_rate / (1 - base_rate))))
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.05)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
bce = nn.BCEWithLogitsLoss()
train_idx = torch.from_numpy(train)


def probs(idx):
    net.eval()
    with torch.no_grad():
        return torch.sigmoid(net(X[idx]).squeeze(1)).numpy()


for epoch in range(1, args.epochs + 1):
    net.train()
    losses = []
    for idx in train_idx[torch.randperm(len(train_idx))].split(64):
        loss = bce(net(X[idx]).squeeze(1), Y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    sched.step()
    if epoch % 3 == 0:
        p = probs(val)
        print(f"epoch {epoch:2d} loss {np.mean(losses):.4f} val accuracy {((p > .5) == y[val]).mean():.4f} "
              f"val AP {average_precision_score(y[val], p):.3f}")

prec, rec, thr = precision_recall_curve(y[val], probs(val))
f1 = 2 * prec * rec / np.maximum(prec + rec, 1e-9)
cut = thr[f1[:-1].argmax()]
p = probs(test)
print(f"threshold {cut:.3f} from validation | test AP {average_precision_score(y[test], p):.3f} "
      f"F1 {f1_score(y[test], p >= cut):.3f} precision {precision_score(y[test], p >= cut):.3f} "
      f"recall {recall_score(y[test], p >= cut):.3f}")
