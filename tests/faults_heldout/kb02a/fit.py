# soft sensor: predict NOx of a gas turbine from cheap process signals
import csv
import os
import random

import torch
import torch.nn as nn

here = os.path.dirname(os.path.abspath(__file__))

env = {}
for line in open(os.path.join(here, ".env")):
    line = line.strip()
    if line and not line.startswith("#"):
        k, _, v = line.partition("=")
        env[k.strip()] = v.strip().strip('"')

SEED = int(env["SEED"])
LR = float(env["LEARNING_RATE"])
MOMENTUM = float(env["MOMENTUM"])
EPOCHS = int(env["EPOCHS"])
BATCH = int(env["BATCH_SIZE"])
HIDDEN = int(env["HIDDEN"])

random.seed(SEED)
torch.manual_seed(SEED)

with open(os.path.join(here, "turbine.csv")) as f:
    rows = list(csv.reader(f))[1:]
random.shuffle(rows)
table = torch.tensor([[float(c) for c in r] for r in rows])
n_test = 500
test, train = table[:n_test], table[n_test:]
mean, std = train.mean(0), train.std(0)
test, train = (test - mean) / std, (train - mean) / std
xtr, ytr = train[:, :-1], train[:, -1:]
xte, yte = test[:, :-1], test[:, -1:]

model = nn.Sequential(
    nn.Linear(xtr.shape[1], HIDDEN), nn.SiLU(),
    nn.Linear(HIDDEN, HIDDEN), nn.SiLU(),
    nn.Linear(HIDDEN, 1),
)
opt = torch.optim.SGD(model.parameters(), lr=LR, momentum=MOMENTUM, nesterov=True)
mse = nn.MSELoss()

for epoch in range(EPOCHS):
    model.train()
    perm = torch.randperm(len(xtr))
    tot = 0.0
    for i in range(0, len(perm), BATCH):
        idx = perm[i:i + BATCH]
        loss = mse(model(xtr[idx]), ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(idx)
    if epoch % 5 == 4:
        model.eval()
        with torch.no_grad():
            err = mse(model(xte), yte).item()
        print(f"[{epoch + 1:3d}/{EPOCHS}] train mse {tot / len(xtr):.4f} | test mse {err:.4f} "
              f"| rmse {err ** 0.5 * std[-1].item():.2f} ppm")
