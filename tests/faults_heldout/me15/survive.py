import configparser
import csv
import math

import torch
from torch import nn

ini = configparser.ConfigParser()
ini.read("settings.ini")
FIT, SPLIT = ini["fit"], ini["split"]


def read(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    feat = []
    for r in rows:
        stage = [float(int(r["stage"]) == k) for k in (2, 3, 4)]
        feat.append([float(r["age"]), math.log(float(r["crp"])), float(r["albumin"]), float(r["sex"]),
                     float(r["treated"]), float(r["ecog"]), float(r["hb"])] + stage)
    months = torch.tensor([float(r["months"]) for r in rows])
    died = torch.tensor([float(r["died"]) for r in rows])
    return torch.tensor(feat), months, died


def cox_loss(risk, months, died):
    """Negative log partial likelihood per death, Breslow ties, risk set = this batch."""
    order = torch.argsort(months, descending=True)
    risk, months, died = risk[order], months[order], died[order]
    cum = torch.logcumsumexp(risk, 0)
    # tied times share the risk set of the last one in the group
    last = torch.searchsorted(-months, -months, right=True) - 1
    return -((risk - cum[last]) * died).sum() / died.sum().clamp(min=1.0)


def concordance(risk, months, died):
    usable = (months[:, None] < months[None]) & (died[:, None] > 0)
    good = (risk[:, None] > risk[None]).float() + 0.5 * (risk[:, None] == risk[None]).float()
    return (good[usable].sum() / usable.sum()).item()


class Risk(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.skip = nn.Linear(d, 1, bias=False)
        self.deep = nn.Sequential(nn.Linear(d, 24), nn.SiLU(), nn.Dropout(0.15), nn.Linear(24, 1, bias=False))

    def forward(self, x):
        return (self.skip(x) + self.deep(x)).squeeze(1)


torch.manual_seed(FIT.getint("seed"))
x, months, died = read("cohort.csv")
n = len(x) - SPLIT.getint("val") - SPLIT.getint("test")
parts = torch.randperm(len(x)).split([n, SPLIT.getint("val"), SPLIT.getint("test")])
x = (x - x[parts[0]].mean(0)) / x[parts[0]].std(0)
net = Risk(x.shape[1])
opt = torch.optim.AdamW(net.parameters(), lr=FIT.getfloat("lr"), weight_decay=FIT.getfloat("weight_decay"))
epochs, batch = FIT.getint("epochs"), FIT.getint("batch")
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)


def judge(idx):
    net.eval()
    with torch.no_grad():
        r = net(x[idx])
    return cox_loss(r, months[idx], died[idx]).item(), concordance(r, months[idx], died[idx])


for epoch in range(1, epochs + 1):
    net.train()
    total = steps = 0
    for b in parts[0][torch.randperm(n)].split(batch):
        if len(b) < batch // 2:
            continue
        loss = cox_loss(net(x[b]), months[b], died[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total, steps = total + loss.item(), steps + 1
    sched.step()
    if epoch % 3 == 0:
        print("epoch %2d  batch loss %.4f | validation loss %.4f  c-index %.4f" % (epoch, total / steps, *judge(parts[1])))
print("test loss %.4f  c-index %.4f" % judge(parts[2]),
      " age alone %.4f" % concordance(x[parts[2], 0], months[parts[2]], died[parts[2]]))
