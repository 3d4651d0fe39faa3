import configparser
from pathlib import Path

import torch
from sklearn.metrics import average_precision_score, balanced_accuracy_score, recall_score, roc_auc_score
from torch import nn

from objective import WeightedLogLoss
from payments import prepare

cp = configparser.ConfigParser()
cp.read(Path(__file__).parent / "settings.ini")
torch.manual_seed(cp["data"].getint("seed"))

xa, ya, xb, yb = prepare(cp["data"])
w = cp["model"].getint("width")
scorer = nn.Sequential(nn.Linear(xa.shape[1], w), nn.Tanh(), nn.Dropout(0.1), nn.Linear(w, w), nn.Tanh(), nn.Linear(w, 1))
criterion = WeightedLogLoss(ya)
o = cp["optim"]
opt = torch.optim.AdamW(scorer.parameters(), lr=o.getfloat("lr"), weight_decay=o.getfloat("decay"))
sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.02, total_iters=o.getint("epochs"))

print(f"{len(ya)} payments, {int(ya.sum())} of them fraud")
for epoch in range(o.getint("epochs")):
    scorer.train()
    total = 0.0
    for idx in torch.randperm(len(ya)).split(o.getint("batch")):
        loss = criterion(scorer(xa[idx]).squeeze(1), ya[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    sched.step()
    scorer.eval()
    with torch.no_grad():
        s = scorer(xb).squeeze(1)
        test = criterion(s, yb).item()
    flag = (s > 0).int()
    print(f"epoch {epoch + 1:2d}  loss {total / len(ya):.4f}  test loss {test:.4f}  "
          f"balanced acc {balanced_accuracy_score(yb, flag):.3f}  recall {recall_score(yb, flag):.3f}  "
          f"auc {roc_auc_score(yb, s):.3f}  ap {average_precision_score(yb, s):.3f}")
