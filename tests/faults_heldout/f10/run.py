import csv
import sys

import torch

from recsys.autorec import AutoRec, masked_mse
from recsys.table import build


def rmse(model, score, known, held):
    model.eval()
    with torch.no_grad():
        diff = (model(score, known) - score) * held
    model.train()
    return (diff.pow(2).sum() / held.sum()).sqrt().item()


def main(epochs=60, batch=50, lr=0.1):
    torch.manual_seed(30)
    score, known, held = build()
    model = AutoRec(score.shape[1])
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.StepLR(opt, 45, 0.2)
    out = csv.writer(sys.stdout)
    out.writerow(["epoch", "loss", "held_out_rmse"])
    baseline = ((score * held).pow(2).sum() / held.sum()).sqrt().item()
    for epoch in range(epochs):
        order, total = torch.randperm(len(score)), 0.0
        for rows in order.split(batch):
            s, k = score[rows], known[rows]
            # hide a few known entries from the input, ask for all of them
            shown = k * (torch.rand_like(k) > 0.2)
            loss = masked_mse(model(s, shown), s, k)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        sched.step()
        if epoch % 6 == 5:
            out.writerow([epoch, f"{total / len(score):.5f}", f"{rmse(model, score, known, held):.4f}"])
    print(f"# predicting 0 everywhere gives {baseline:.4f}")


if __name__ == "__main__":
    main()
