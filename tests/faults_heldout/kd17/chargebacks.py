import argparse
import json

import torch
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from features import read, stratified

parser = argparse.ArgumentParser(description="Chargeback model (about 4% positives)")
parser.add_argument("--config", default="config.json")
cfg = json.load(open(parser.parse_args().config))
torch.manual_seed(cfg["seed"])


class ChargebackNet(nn.Module):
    def __init__(self, n_num, sizes, hidden, drop):
        super().__init__()
        self.emb = nn.ModuleList([nn.Embedding(n, 3) for n in sizes])
        self.net = nn.Sequential(nn.Linear(n_num + 3 * len(sizes), hidden), nn.ReLU(), nn.Dropout(drop),
                                 nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(drop), nn.Linear(hidden, 1))

    def forward(self, num, cat):
        e = [m(cat[:, k]) for k, m in enumerate(self.emb)]
        return self.net(torch.cat([num] + e, 1))[:, 0]


def scores(model, part):
    model.eval()
    with torch.no_grad():
        s = model(part.num, part.cat)
    return s, average_precision_score(part.y, s), roc_auc_score(part.y, s)


table, sizes = read(cfg["csv"])
tr, va, te = stratified(table.y, [0.6, 0.2, 0.2], cfg["seed"])
mean, std = table.num[tr].mean(0), table.num[tr].std(0)
table.num = (table.num - mean) / std
train, val, test = table.take(tr), table.take(va), table.take(te)
pos = train.y.mean().item()
# square root of the ratio: enough weight on the rare class without ruining the calibration
pos_weight = torch.tensor(((1 - pos) / pos) ** 0.5)
print(f"train {len(tr)} val {len(va)} test {len(te)} positives {pos:.3f} pos_weight {pos_weight:.2f}")

model = ChargebackNet(train.num.shape[1], sizes, cfg["hidden"], cfg["dropout"])
criterion = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", factor=0.3, patience=4)
loader = DataLoader(TensorDataset(train.num, train.cat, train.y), cfg["batch_size"], shuffle=True)

best, wait, keep = 0.0, 0, None
for epoch in range(cfg["max_epochs"]):
    model.train()
    total = 0.0
    for num, cat, y in loader:
        loss = criterion(model(num, cat), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
    s, ap, auc = scores(model, val)
    plateau.step(ap)
    print(f"{epoch:2d} train {total / len(tr):.4f} val loss {criterion(s, val.y):.4f} AP {ap:.3f} AUC {auc:.3f}")
    if ap > best:
        best, wait, keep = ap, 0, {k: v.clone() for k, v in model.state_dict().items()}
    else:
        wait += 1
        if wait >= cfg["patience"]:
            break

model.load_state_dict(keep)
s, _, _ = scores(model, val)
p, r, th = precision_recall_curve(val.y, s)
f1 = 2 * p * r / (p + r + 1e-9)
cut = th[f1[:-1].argmax()]
s, ap, auc = scores(model, test)
flag = s >= cut
tp = (flag & (test.y == 1)).sum().item()
print(f"test AP {ap:.3f} AUC {auc:.3f}; at the validation threshold precision {tp / max(1, flag.sum().item()):.3f} recall {tp / test.y.sum().item():.3f}")
