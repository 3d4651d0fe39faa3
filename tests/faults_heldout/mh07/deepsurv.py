"""Cox model with a small network in place of the linear predictor."""
import copy
import csv
import logging

import numpy as np
import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("deepsurv")

COVARIATES = ["age", "sex", "stage", "ecog", "bmi", "marker", "platelets", "arm"]


def read_cohort(path):
    with open(path) as f:
        rows = list(csv.DictReader(f))
    x = np.array([[float(r[c]) for c in COVARIATES] for r in rows], dtype=np.float32)
    x[:, COVARIATES.index("marker")] = np.log(x[:, COVARIATES.index("marker")])
    months = np.array([float(r["months"]) for r in rows], dtype=np.float32)
    died = np.array([int(r["died"]) for r in rows], dtype=np.float32)
    return x, months, died


def cox_loss(risk, months, died):
    """Negative log partial likelihood (Breslow), averaged over events."""
    order = torch.argsort(months, descending=True)
    risk, died = risk[order], died[order]
    log_at_risk = torch.logcumsumexp(risk, dim=0)
    return -((risk - log_at_risk) * died).sum() / died.sum().clamp(min=1.0)


def concordance(risk, months, died):
    earlier = (months[:, None] < months[None, :]) & (died[:, None] == 1)
    diff = risk[:, None] - risk[None, :]
    good = (diff > 0).double() + 0.5 * (diff == 0).double()
    return (good * earlier).sum().item() / earlier.sum().item()


class RiskNet(nn.Module):
    def __init__(self, n_in, width=24, dropout=0.2):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(n_in, width), nn.SELU(), nn.Dropout(dropout),
            nn.Linear(width, width), nn.SELU(), nn.Dropout(dropout),
            nn.Linear(width, 1, bias=False),
        )

    def forward(self, x):
        return self.layers(x).squeeze(-1)


def main():
    torch.manual_seed(21)
    x, months, died = read_cohort("cohort.csv")
    perm = np.random.default_rng(21).permutation(len(x))
    parts = {"train": perm[:1500], "val": perm[1500:1950], "test": perm[1950:]}
    mean, std = x[parts["train"]].mean(0), x[parts["train"]].std(0)
    data = {k: (torch.from_numpy((x[i] - mean) / std), torch.from_numpy(months[i]), torch.from_numpy(died[i]))
            for k, i in parts.items()}
    log.info("patients %s, event rate %.2f", {k: len(i) for k, i in parts.items()}, died[parts["train"]].mean())

    net = RiskNet(len(COVARIATES))
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    xt, mt, dt = data["train"]
    best, best_net, since = float("inf"), None, 0
    for epoch in range(1, 121):
        net.train()
        losses = []
        # risk sets are formed inside batches of 250 patients
        for idx in torch.randperm(len(xt)).split(250):
            loss = cox_loss(net(xt[idx]), mt[idx], dt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        net.eval()
        with torch.no_grad():
            risk = net(data["val"][0])
            val = cox_loss(risk, *data["val"][1:]).item()
        if val < best - 1e-4:
            best, best_net, since = val, copy.deepcopy(net), 0
        else:
            since += 1
        if epoch % 10 == 0 or epoch == 1:
            log.info("epoch %3d  train %.4f  val %.4f  val c-index %.3f",
                     epoch, np.mean(losses), val, concordance(risk, *data["val"][1:]))
        if since == 20:
            log.info("stopped after epoch %d", epoch)
            break

    best_net.eval()
    with torch.no_grad():
        for name, (xs, ms, ds) in data.items():
            log.info("%-5s c-index %.3f", name, concordance(best_net(xs), ms, ds))


if __name__ == "__main__":
    main()
