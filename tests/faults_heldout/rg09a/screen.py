"""Activity screen: fingerprint bits -> probability that a compound binds the target."""
import json
import sys

import numpy as np
import torch
from sklearn.metrics import average_precision_score
from torch import nn

from stopper import Stopper

opts = json.load(open(sys.argv[1]))
torch.manual_seed(opts["seed"])
pack = np.load(opts["compounds"])
bits = torch.from_numpy(np.unpackbits(pack["bits"], axis=1).astype(np.float32))
hit = torch.from_numpy(pack["active"].astype(np.float32))
idx = torch.randperm(len(bits))
n_val = n_test = len(bits) // 6
val, test, train = idx[:n_val], idx[n_val:n_val + n_test], idx[n_val + n_test:]

model = nn.Sequential(nn.Linear(bits.shape[1], 192), nn.ReLU(), nn.Dropout(opts["dropout"]),
                      nn.Linear(192, 64), nn.ReLU(), nn.Dropout(opts["dropout"]), nn.Linear(64, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=opts["lr"], weight_decay=opts["weight_decay"])
criterion = nn.BCEWithLogitsLoss()


def assess(part):
    model.eval()
    with torch.no_grad():
        z = model(bits[part]).squeeze(1)
        bce = criterion(z, hit[part]).item()
    model.train()
    return {"bce": bce, "ap": float(average_precision_score(hit[part].numpy(), z.numpy()))}


stopper = Stopper(**opts["stop"])
for epoch in range(opts["max_epochs"]):
    total = 0.0
    for rows in train[torch.randperm(len(train))].split(opts["batch"]):
        loss = criterion(model(bits[rows]).squeeze(1), hit[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(rows)
    scores = assess(val)
    print(f"epoch {epoch:2d}  train {total / len(train):.4f}  val bce {scores['bce']:.4f}  val ap {scores['ap']:.4f}")
    if stopper.update(scores, model):
        print("no improvement, stopping")
        break

model.load_state_dict(stopper.weights)
final = assess(test)
print(f"test bce {final['bce']:.4f}  ap {final['ap']:.4f}")
