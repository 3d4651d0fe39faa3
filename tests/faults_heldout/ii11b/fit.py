"""Readmission within 30 days: fit on past discharges, check on last month's and on the running ward list."""
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from readmit import Cohort, FeatureNet, auroc, brier

ROOT = os.environ.get("COHORT", "cohort")
EPOCHS = int(os.environ.get("EPOCHS", "12"))
LR = float(os.environ.get("LR", "3e-3"))


def predict(model, part):
    model.eval()
    with torch.no_grad():
        return model(part[0], part[1])


def describe(model, part):
    logit = predict(model, part)
    loss = nn.functional.binary_cross_entropy_with_logits(logit, part[2]).item()
    return f"loss {loss:.4f} AUROC {auroc(logit, part[2]):.3f} Brier {brier(logit.sigmoid(), part[2]):.4f}"


def main():
    torch.manual_seed(8)
    cohort = Cohort(ROOT)
    past = cohort.load("discharged_past.csv")
    recent = cohort.load("discharged_recent.csv")
    ward = cohort.load("ward_list.csv")
    model = FeatureNet(len(cohort.numeric), cohort.cardinalities(past, recent, ward))
    print(f"{len(past[2])} past, {len(recent[2])} recent, {len(ward[2])} on the ward list; "
          f"readmitted {past[2].mean():.1%}")

    loader = DataLoader(TensorDataset(*past), batch_size=64, shuffle=True, drop_last=True)
    opt = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(loader))
    for epoch in range(EPOCHS):
        model.train()
        total = 0.0
        for num, cat, y in loader:
            loss = nn.functional.binary_cross_entropy_with_logits(model(num, cat), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        print(f"epoch {epoch:2d} train {total / len(loader):.4f} | recent {describe(model, recent)}")
    # outcomes of the ward list came in a month later
    print("ward list:", describe(model, ward))


if __name__ == "__main__":
    main()
