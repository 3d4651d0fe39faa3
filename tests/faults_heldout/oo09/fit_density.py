import copy
import csv

import numpy as np
import torch

from flow import Flow

EPOCHS, BATCH, LR = 40, 100, 1.5e-3
torch.manual_seed(0)

with open("station.csv") as fh:
    rd = csv.reader(fh)
    names = next(rd)
    table = np.array([[float(v) for v in row] for row in rd], dtype=np.float32)
table[:, names.index("wind")] = np.log(table[:, names.index("wind")])
train, val, test = np.split(table, [3500, 4200])
mu, sd = train.mean(0), train.std(0)
train, val, test = (torch.from_numpy((a - mu) / sd) for a in (train, val, test))


def gaussian_nll(fit, x):
    g = torch.distributions.MultivariateNormal(fit.mean(0), torch.cov(fit.T))
    return -g.log_prob(x).mean().item()


model = Flow(train.shape[1])
opt = torch.optim.Adam(model.parameters(), lr=LR)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS)
print(f"full-covariance gaussian, validation nll {gaussian_nll(train, val):.4f}")
best, best_state = float("inf"), None
for epoch in range(EPOCHS):
    model.train()
    running = 0.0
    for idx in torch.randperm(len(train)).split(BATCH):
        nll = -model.log_prob(train[idx]).mean()
        opt.zero_grad()
        nll.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        opt.step()
        running += nll.item() * len(idx)
    sched.step()
    model.eval()
    with torch.no_grad():
        v = -model.log_prob(val).mean().item()
    if v < best:
        best, best_state = v, copy.deepcopy(model.state_dict())
    if epoch % 4 == 0 or epoch == EPOCHS - 1:
        print(f"epoch {epoch:3d}  train nll {running / len(train):8.4f}  val nll {v:8.4f}")

model.load_state_dict(best_state)
with torch.no_grad():
    print(f"test nll {-model.log_prob(test).mean().item():.4f} (gaussian {gaussian_nll(train, test):.4f})")
s = model.sample(2000)
print("corr of samples\n", np.round(np.corrcoef(s.T.numpy()), 2)[0], "\ncorr of data\n", np.round(np.corrcoef(test.T.numpy()), 2)[0])
