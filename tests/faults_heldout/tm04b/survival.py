"""Cox network on a 12-gene expression panel (log-ratios against the reference pool)."""
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.model_selection import train_test_split

SEED = 21
GENES = ["ESR1", "PGR", "MKI67", "ERBB2", "AURKA", "BIRC5", "CCNB1", "MYBL2", "GSTM1", "CD68", "BAG1", "SCUBE2"]


def load():
    followup = pd.read_csv("followup.csv")
    panel = pd.read_csv("panel.csv")
    # probes that failed QC have no log-ratio, take them as "same as reference"
    table = followup.merge(panel, on="patient_id", how="left").fillna({g: 0.0 for g in GENES})
    x = table[GENES].to_numpy(np.float32)
    return x, table["months"].to_numpy(np.float32), table["event"].to_numpy(np.float32)


def cox_loss(risk, time, event):
    """Negative Breslow partial log-likelihood, averaged over events."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, dim=0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] == 1)
    diff = risk[:, None] - risk[None, :]
    score = (diff > 0) + 0.5 * (diff == 0)
    return score[earlier].mean()


class RiskNet(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 24), nn.SiLU(), nn.Dropout(0.2), nn.Linear(24, 12), nn.SiLU())
        self.out = nn.Linear(12, 1, bias=False)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


def main():
    torch.manual_seed(SEED)
    x, time, event = load()
    idx_tr, idx_te = train_test_split(np.arange(len(x)), test_size=0.3, random_state=SEED, stratify=event)
    center, scale = x[idx_tr].mean(0), x[idx_tr].std(0) + 1e-6
    x = torch.from_numpy((x - center) / scale)
    t, e = torch.from_numpy(time), torch.from_numpy(event)
    print(f"{len(idx_tr)} train / {len(idx_te)} test patients, {event.mean():.0%} events")

    model = RiskNet(x.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-2)
    epochs = 40
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    idx_tr = torch.from_numpy(idx_tr)
    for epoch in range(1, epochs + 1):
        model.train()
        losses = []
        for chunk in idx_tr[torch.randperm(len(idx_tr))].split(105):
            loss = cox_loss(model(x[chunk]), t[chunk], e[chunk])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        if epoch % 5 == 0:
            model.eval()
            with torch.no_grad():
                r_tr = model(x[idx_tr]).numpy()
                r_te = model(x[idx_te]).numpy()
            print(f"epoch {epoch:3d}  loss {np.mean(losses):.4f}  "
                  f"C train {concordance(r_tr, time[idx_tr.numpy()], event[idx_tr.numpy()]):.3f}  "
                  f"C test {concordance(r_te, time[idx_te], event[idx_te]):.3f}")

    hi = r_te >= np.median(r_te)
    for name, sel in (("high risk", hi), ("low risk", ~hi)):
        if sel.any():
            print(f"{name}: n={sel.sum()}, events within 36 months "
                  f"{((time[idx_te][sel] <= 36) & (event[idx_te][sel] == 1)).mean():.1%}")


if __name__ == "__main__":
    main()
