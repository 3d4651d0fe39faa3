"""Risk score for a cohort with a neural Cox model; large batches, since the partial likelihood ranks within the batch."""
import csv
from argparse import ArgumentParser

import torch
from torch import nn


def read(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f, delimiter=";"))
    num = lambda k: torch.tensor([float(r[k]) for r in rows])
    stage = nn.functional.one_hot(num("stage").long() - 1, 4).float()
    x = torch.cat([torch.stack([num("age"), num("bmi"), num("crp").log(), num("sbp"), num("smoker")], 1), stage], 1)
    return x, num("months"), num("died")


def partial_likelihood(risk, time, event):
    """Breslow: each death against all who were still at risk then."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    at_risk = torch.logcumsumexp(risk, 0)
    return -((risk - at_risk) * event).sum() / event.sum()


def concordance(risk, time, event):
    comparable = (time[:, None] < time[None]) & (event[:, None] > 0)
    return ((risk[:, None] > risk[None]) & comparable).sum().item() / comparable.sum().item()


def main():
    p = ArgumentParser()
    p.add_argument("csv", nargs="?", default="cohort.csv")
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--lr", type=float, default=3e-3)
    o = p.parse_args()

    torch.manual_seed(14)
    x, time, event = read(o.csv)
    perm = torch.randperm(len(x))
    tr, va, te = perm[:2000], perm[2000:2500], perm[2500:]
    x = (x - x[tr].mean(0)) / x[tr].std(0)
    net = nn.Sequential(nn.Linear(x.shape[1], 32), nn.ELU(), nn.Dropout(0.2), nn.Linear(32, 16), nn.ELU(), nn.Linear(16, 1, bias=False))
    opt = torch.optim.AdamW(net.parameters(), lr=o.lr, weight_decay=0.01)
    decay = torch.optim.lr_scheduler.CosineAnnealingLR(opt, o.epochs)

    for epoch in range(1, o.epochs + 1):
        net.train()
        for idx in torch.randperm(len(tr)).split(o.batch):
            i = tr[idx]
            loss = partial_likelihood(net(x[i]).squeeze(1), time[i], event[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
        decay.step()
        if epoch % 6 == 0:
            net.eval()
            with torch.no_grad():
                r = net(x).squeeze(1)
            # per-batch sized likelihoods, so that train and validation can be compared
            print(f"epoch {epoch:3d} likelihood train {partial_likelihood(r[tr[:500]], time[tr[:500]], event[tr[:500]]):.3f} "
                  f"val {partial_likelihood(r[va], time[va], event[va]):.3f} "
                  f"C train {concordance(r[tr], time[tr], event[tr]):.3f} val {concordance(r[va], time[va], event[va]):.3f}")
    print(f"test C {concordance(r[te], time[te], event[te]):.3f}, zero-risk likelihood "
          f"{partial_likelihood(torch.zeros(len(te)), time[te], event[te]):.3f}, model "
          f"{partial_likelihood(r[te], time[te], event[te]):.3f}")


if __name__ == "__main__":
    main()
