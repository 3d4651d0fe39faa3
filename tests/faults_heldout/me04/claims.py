"""Yearly claim probability of motor policies (calibrated probabilities are used for pricing)."""
import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score

BATCH, LR, EPOCHS = 256, 1e-2, 24


def read(path):
    a = np.genfromtxt(path, delimiter=",", names=True)
    num = np.stack([a["age"], a["power"], a["km_year"], a["bonus"], a["garage"]], 1)
    return num.astype("float32"), a["region"].astype(int), a["claim"].astype("float32")


class ClaimModel(nn.Module):
    def __init__(self, regions=6):
        super().__init__()
        self.region = nn.Embedding(regions, 3)
        self.linear = nn.Linear(5, 1)
        self.deep = nn.Sequential(nn.Linear(8, 24), nn.SiLU(), nn.Linear(24, 1))

    def forward(self, num, reg):
        return (self.linear(num) + self.deep(torch.cat([num, self.region(reg)], 1))).squeeze(1)


def auc_loss(model, part):
    model.eval()
    with torch.no_grad():
        z = model(part[0], part[1])
    loss = nn.functional.binary_cross_entropy_with_logits(z, part[2]).item()
    return loss, roc_auc_score(part[2].numpy(), z.numpy()), torch.sigmoid(z).mean().item()


torch.manual_seed(17)
num, reg, y = read("policies.csv")
n = len(y)
cut1, cut2 = n - 3200, n - 2000          # last policies of the file: validation, test
mean, std = num[:cut1].mean(0), num[:cut1].std(0)
num = torch.from_numpy((num - mean) / std)
reg, y = torch.from_numpy(reg), torch.from_numpy(y)
train, val, test = ((num[s], reg[s], y[s]) for s in (slice(0, cut1), slice(cut1, cut2), slice(cut2, n)))

model = ClaimModel()
rate = train[2].mean()
nn.init.constant_(model.linear.bias, torch.log(rate / (1 - rate)).item())
opt = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.02)
total = EPOCHS * -(-cut1 // BATCH)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, total)
criterion = nn.BCEWithLogitsLoss()
for ep in range(EPOCHS):
    model.train()
    losses = []
    for idx in torch.randperm(cut1).split(BATCH):
        opt.zero_grad()
        loss = criterion(model(train[0][idx], train[1][idx]), train[2][idx])
        loss.backward()
        opt.step()
        sched.step()
        losses.append(loss.item())
    if ep % 2 == 1:
        l, a, _ = auc_loss(model, val)
        print(f"{ep + 1:2d}: train {np.mean(losses):.4f}  val {l:.4f}  val AUC {a:.3f}")
l, a, m = auc_loss(model, test)
r = float(rate)
base = -(test[2].mean() * np.log(r) + (1 - test[2].mean()) * np.log(1 - r)).item()
print(f"test: log loss {l:.4f} (constant {base:.4f})  AUC {a:.3f}  mean p {m:.3f} vs rate {test[2].mean().item():.3f}")
