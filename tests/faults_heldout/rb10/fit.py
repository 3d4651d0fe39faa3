import json
import sys

import torch
from torch import nn

from survival import cohort, cox


def network(inputs, hidden, dropout):
    layers, width = [], inputs
    for h in hidden:
        layers += [nn.Linear(width, h), nn.ELU(), nn.Dropout(dropout)]
        width = h
    return nn.Sequential(*layers, nn.Linear(width, 1, bias=False))


def report(model, x, months, died):
    model.eval()
    with torch.no_grad():
        risk = model(x).squeeze(1)
    return cox.partial_likelihood(risk, months, died).item(), cox.concordance(risk, months, died)


def main(config):
    torch.manual_seed(config["seed"])
    cont, binary, stage, months, died = cohort.read(config["cohort"])
    tr, te = cohort.split(len(months), config["seed"])
    cont = (cont - cont[tr].mean(0)) / cont[tr].std(0)
    x = torch.cat([cont, binary, stage], 1)

    model = network(x.shape[1], config["hidden"], config["dropout"])
    opt = torch.optim.AdamW(model.parameters(), **config["optimizer"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, config["epochs"])
    print("deaths: %.0f%% of %d" % (100 * died.mean(), len(died)))

    for epoch in range(config["epochs"]):
        model.train()
        total = batches = 0
        for part in torch.randperm(len(tr)).split(config["batch"]):
            rows = tr[part]
            loss = cox.partial_likelihood(model(x[rows]).squeeze(1), months[rows], died[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, batches = total + loss.item(), batches + 1
        sched.step()
        pl, c = report(model, x[te], months[te], died[te])
        print(f"epoch {epoch:2d}  batch loss {total / batches:.4f}  held-out partial likelihood {pl:.4f}  C {c:.4f}")
    print("train C %.4f" % report(model, x[tr], months[tr], died[tr])[1])


if __name__ == "__main__":
    with open(sys.argv[1] if len(sys.argv) > 1 else "run.json") as fh:
        main(json.load(fh))
