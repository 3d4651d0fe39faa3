import argparse
import configparser

import numpy as np
import pandas as pd
import torch
import torch.nn.functional as F
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

cli = argparse.ArgumentParser()
cli.add_argument("--config", default="train.ini")
cli.add_argument("--seed", type=int)
cli = cli.parse_args()
cfg = configparser.ConfigParser()
cfg.read(cli.config)
data, optim = cfg["data"], cfg["optim"]
seed = cli.seed or optim.getint("seed")
torch.manual_seed(seed)

df = pd.read_csv(data["csv"])
order = data["order"].split(",")
rank = df.pop(data["target"]).map(order.index).to_numpy()
df["income"] = np.log(df["income"])
df["history_years"] = np.log1p(df["history_years"])
xtr, xte, ytr, yte = train_test_split(df, rank, test_size=data.getfloat("test_fraction"), stratify=rank,
                                      random_state=seed)
mean, std = xtr.mean(), xtr.std()
xtr, xte = [torch.tensor(((d - mean) / std).to_numpy(), dtype=torch.float32) for d in (xtr, xte)]
ytr, yte = torch.tensor(ytr), torch.tensor(yte)
K = len(order)


def levels(y):
    """rank 3 of 6 -> [1, 1, 1, 0, 0]"""
    return (y[:, None] > torch.arange(K - 1)[None]).float()


class Coral(nn.Module):
    """One shared score, K-1 thresholds."""

    def __init__(self, n_in, hidden, p):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(), nn.Dropout(p), nn.Linear(hidden, hidden),
                                   nn.ReLU(), nn.Linear(hidden, 1, bias=False))
        self.cut = nn.Parameter(torch.linspace(2.0, -2.0, K - 1))

    def forward(self, x):
        return self.score(x) + self.cut


net = Coral(xtr.shape[1], cfg["model"].getint("hidden"), cfg["model"].getfloat("dropout"))
decay = [p for n, p in net.named_parameters() if p.dim() > 1]
plain = [p for n, p in net.named_parameters() if p.dim() <= 1]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": optim.getfloat("weight_decay")},
                         {"params": plain, "weight_decay": 0.0}], lr=optim.getfloat("lr"))
loader = DataLoader(TensorDataset(xtr, ytr), batch_size=optim.getint("batch_size"), shuffle=True, drop_last=True)
epochs = optim.getint("epochs")
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)

for epoch in range(1, epochs + 1):
    net.train()
    acc = 0.0
    for xb, yb in loader:
        loss = F.binary_cross_entropy_with_logits(net(xb), levels(yb))
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc += loss.item()
    sched.step()
    if epoch % 5 == 0:
        net.eval()
        with torch.no_grad():
            out = net(xte)
        pred = (out > 0).sum(1)
        vl = F.binary_cross_entropy_with_logits(out, levels(yte)).item()
        mae = (pred - yte).abs().float().mean().item()
        print(f"epoch {epoch:3d} loss {acc / len(loader):.4f} test loss {vl:.4f} MAE {mae:.3f} grades "
              f"exact {(pred == yte).float().mean():.3f} within one {((pred - yte).abs() <= 1).float().mean():.3f}")
