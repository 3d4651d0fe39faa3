"""Relative-hazard network for time-to-readmission, trained on the Cox partial likelihood."""
import csv
import json
import sys

import torch


def read_table(path):
    with open(path) as f:
        head, *body = list(csv.reader(f))
    t = torch.tensor([[float(v) for v in row] for row in body])
    col = {name: j for j, name in enumerate(head)}
    cov = [j for name, j in col.items() if name not in ("days", "readmitted", "site")]
    return t[:, cov], t[:, col["days"]], t[:, col["readmitted"]], t[:, col["site"]]


def neg_partial_loglik(score, days, event):
    order = torch.argsort(days, descending=True)
    score, event = score[order], event[order]
    at_risk = torch.logcumsumexp(score, 0)
    return ((at_risk - score) * event).sum() / event.sum()


def concordance(score, days, event):
    earlier = (days[:, None] < days[None, :]) & event.bool()[:, None]
    d = score[:, None] - score[None, :]
    return ((d > 0).float() + 0.5 * (d == 0).float())[earlier].mean().item()


class Hazard(torch.nn.Module):
    def __init__(self, width_in, widths):
        super().__init__()
        dims = [width_in, *widths]
        self.hidden = torch.nn.ModuleList(torch.nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.last = torch.nn.Linear(dims[-1], 1, bias=False)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.nn.functional.silu(layer(x))
        return self.last(x)[:, 0]


def bound_rows(model, limit):
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() == 2:
                p.copy_(torch.renorm(p, 2, 0, limit))


def main(path):
    with open(path) as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    x, days, event, site = read_table(cfg["table"])
    dev = site == cfg["held_out_site"]
    mu, sd = x[~dev].mean(0), x[~dev].std(0)
    x = (x - mu) / sd
    xt, dt, et = x[~dev], days[~dev], event[~dev]
    xv, dv, ev = x[dev], days[dev], event[dev]

    model = Hazard(x.shape[1], cfg["widths"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, cfg["epochs"])
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        losses = []
        for idx in torch.randperm(len(xt)).split(cfg["risk_set"]):
            loss = neg_partial_loglik(model(xt[idx]), dt[idx], et[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            bound_rows(model, cfg["row_limit"])
            losses.append(loss.item())
        sched.step()
        if epoch % cfg["report"] == 0:
            model.eval()
            with torch.no_grad():
                s = model(xv)
                parts = [neg_partial_loglik(s[i], dv[i], ev[i]).item()
                         for i in torch.arange(len(xv)).split(cfg["risk_set"])]
                c = concordance(s, dv, ev)
            print(f"{epoch:3d}  fit {sum(losses) / len(losses):.3f}  held-out {sum(parts) / len(parts):.3f}  c-index {c:.3f}")


main(sys.argv[1] if len(sys.argv) > 1 else "hazard.json")
