import sys
import tomllib
from pathlib import Path

import torch

from survival.cohort import Standardiser, read_cohort
from survival.net import risk_net
from survival.objective import concordance, negative_partial_likelihood


def split(cohort, share):
    perm = torch.randperm(cohort.size)
    cut = int(cohort.size * (1 - share))
    return cohort.take(perm[:cut]), cohort.take(perm[cut:])


def assess(net, cohort):
    net.eval()
    with torch.no_grad():
        risk = net(cohort.x)
    return negative_partial_likelihood(risk, cohort.months, cohort.event).item(), concordance(risk, cohort.months, cohort.event)


def main(config_path):
    cfg = tomllib.loads(Path(config_path).read_text())
    fit = cfg["fit"]
    torch.manual_seed(cfg["seed"])
    cohort = read_cohort(cfg["table"], cfg["numeric"], cfg["binary"])
    train, held = split(cohort, cfg["held_out"])
    standardise = Standardiser(train.x, len(cfg["numeric"]))
    train, held = standardise(train), standardise(held)

    net = risk_net(train.x.shape[1], **cfg["net"])
    optimizer = torch.optim.AdamW(net.parameters(), lr=fit["lr"], weight_decay=fit["weight_decay"])
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, fit["epochs"])
    print(f"{train.size} patients to fit ({int(train.event.sum())} events), {held.size} held out")
    for epoch in range(1, fit["epochs"] + 1):
        net.train()
        sums = 0.0
        chunks = torch.randperm(train.size).split(fit["batch"])
        for rows in chunks:
            part = train.take(rows)
            loss = negative_partial_likelihood(net(part.x), part.months, part.event)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += loss.item()
        schedule.step()
        if epoch % 4 == 0:
            fit_npl, fit_c = assess(net, train)
            held_npl, held_c = assess(net, held)
            print(f"epoch {epoch:2d}: batch loss {sums / len(chunks):.3f}; C-index fit {fit_c:.3f}, held out {held_c:.3f}; "
                  f"full-cohort loss fit {fit_npl:.3f}, held out {held_npl:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "cox.toml")
