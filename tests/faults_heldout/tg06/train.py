import argparse

import numpy as np
import torch
from sklearn.metrics import roc_auc_score

from flow import RealNVP

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=12)
parser.add_argument("--epochs", type=int, default=32)
parser.add_argument("--batch", type=int, default=128)
parser.add_argument("--lr", type=float, default=2e-3)
opt = parser.parse_args()

torch.manual_seed(opt.seed)
archive = np.load("scada.npz")
normal = torch.tensor(archive["normal"])
faulty = torch.tensor(archive["faulty"])

perm = torch.randperm(len(normal))
train, held = normal[perm[600:]], normal[perm[:600]]
mean, std = train.mean(0), train.std(0)
train, held, faulty = [(t - mean) / std for t in (train, held, faulty)]

flow = RealNVP(train.shape[1])
optim = torch.optim.Adam(flow.parameters(), lr=opt.lr)
steps = opt.epochs * (len(train) // opt.batch)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optim, steps)

for epoch in range(1, opt.epochs + 1):
    flow.train()
    acc = []
    for idx in torch.randperm(len(train))[: len(train) // opt.batch * opt.batch].view(-1, opt.batch):
        nll = -flow.log_prob(train[idx]).mean()
        optim.zero_grad()
        nll.backward()
        torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        optim.step()
        schedule.step()
        acc.append(nll.item())
    if epoch % 4 == 0:
        flow.eval()
        with torch.no_grad():
            lp_ok, lp_bad = flow.log_prob(held), flow.log_prob(faulty)
        auc = roc_auc_score(np.r_[np.zeros(len(lp_ok)), np.ones(len(lp_bad))], -torch.cat([lp_ok, lp_bad]).numpy())
        print(f"{epoch:3d}  nll {np.mean(acc):+.3f}  held-out nll {-lp_ok.mean():+.3f}  fault AUROC {auc:.3f}")
