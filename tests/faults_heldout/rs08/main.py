import sys
import tomllib

import torch

from hazard.cox import concordance, cox_nll
from hazard.setup import cohort, network, optimizer


def main(path):
    with open(path, "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(cfg["data"]["seed"])
    (x, t, e), (xh, th, eh) = cohort(cfg["data"])
    net = network(cfg["network"], x.shape[1])
    opt = optimizer(cfg["optim"], net.parameters())
    run = cfg["run"]
    print(f"{len(x)} patients, {int(e.sum())} events; holdout {len(xh)}")
    for epoch in range(1, run["epochs"] + 1):
        net.train()
        acc, n = 0.0, 0
        for b in torch.randperm(len(x)).split(run["batch"]):
            loss = cox_nll(net(x[b]), t[b], e[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc, n = acc + loss.item(), n + 1
        if epoch % run["report_every"] == 0:
            net.eval()
            with torch.no_grad():
                s = net(xh)
                print(f"{epoch:3d} partial nll {acc / n:.4f} | holdout {cox_nll(s, th, eh).item():.4f}"
                      f" c-index {concordance(s, th, eh):.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "run.toml")
