import numpy as np
import pandas as pd
import torch
import yaml
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader, TensorDataset

from model import HurdleNet

cfg = yaml.safe_load(open("config.yaml"))
torch.manual_seed(cfg["seed"])

df = pd.read_csv(cfg["data"])
k = cfg["train_rows"]
cat = torch.tensor(df[["machine_type", "site"]].to_numpy())
cont = df[["age_years", "utilisation"]].to_numpy("float32")
cont = np.column_stack([cont, np.minimum(df["days_since_service"], 400)]).astype("float32")
cont = torch.from_numpy((cont - cont[:k].mean(0)) / cont[:k].std(0))
cost = torch.tensor(df["parts_cost"].to_numpy(), dtype=torch.float32)
spent = (cost > 0).float()
log_cost = torch.where(cost > 0, cost.clamp_min(0.01).log(), torch.zeros(()))
positive = log_cost[:k][spent[:k] > 0]
loc, scale = positive.mean(), positive.std()
target = torch.where(cost > 0, (log_cost - loc) / scale, torch.zeros(()))

train = TensorDataset(cat[:k], cont[:k], target[:k], spent[:k])
held = slice(k, None)
o = cfg["optim"]
loader = DataLoader(train, batch_size=o["batch_size"], shuffle=True)
net = HurdleNet(5, 4, cont.shape[1], **cfg["model"])
opt = torch.optim.AdamW(net.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, o["epochs"])

print(f"{len(df)} rows, {100 * (1 - spent.mean()):.0f}% without cost")
for epoch in range(o["epochs"]):
    net.train()
    losses = []
    for batch in loader:
        loss = net.nll(*batch)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    sched.step()
    net.eval()
    with torch.no_grad():
        val = net.nll(cat[held], cont[held], target[held], spent[held]).item()
        logit, _ = net(cat[held], cont[held])
    auc = roc_auc_score(spent[held], logit)
    print(f"epoch {epoch:2d} nll {np.mean(losses):.4f} held-out nll {val:.4f} auc {auc:.3f}")

with torch.no_grad():
    exp = net.expected(cat[held], cont[held], loc, scale)
    _, mu = net(cat[held], cont[held])
some = spent[held] > 0
err = ((mu * scale + loc) - log_cost[held])[some]
r2 = 1 - err.pow(2).sum() / (log_cost[held][some] - log_cost[held][some].mean()).pow(2).sum()
print(f"mean cost held-out {cost[held].mean():.2f}, predicted {exp.mean():.2f}; "
      f"log amount rmse {err.pow(2).mean().sqrt():.3f} r2 {r2:.3f}")
