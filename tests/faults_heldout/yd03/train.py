from pathlib import Path

import numpy as np
import torch

from flow import RealNVP

HERE = Path(__file__).resolve().parent
CFG = dict(epochs=40, batch=256, lr=2e-3, depth=8, seed=3)


def main():
    torch.manual_seed(CFG["seed"])
    xy = torch.tensor(np.loadtxt(HERE / "positions.csv", delimiter=","), dtype=torch.float32)
    xy = xy[torch.randperm(len(xy))]
    train, test = xy[:5000], xy[5000:]

    flow = RealNVP(CFG["depth"])
    opt = torch.optim.Adam(flow.parameters(), lr=CFG["lr"])
    steps = CFG["epochs"] * (len(train) // CFG["batch"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=steps)

    for epoch in range(CFG["epochs"]):
        perm = torch.randperm(len(train))
        total = 0.0
        n_batches = len(train) // CFG["batch"]
        for i in range(n_batches):
            xb = train[perm[i * CFG["batch"]:(i + 1) * CFG["batch"]]]
            nll = -flow.log_prob(xb).mean()
            opt.zero_grad(set_to_none=True)
            nll.backward()
            torch.nn.utils.clip_grad_norm_(flow.parameters(), 20.0)
            opt.step()
            sched.step()
            total += nll.item()
        if epoch % 4 == 3:
            with torch.no_grad():
                test_nll = -flow.log_prob(test).mean().item()
            print(f"epoch {epoch + 1:3d}  train nll {total / n_batches:+.3f}  test nll {test_nll:+.3f}")

    cov = torch.distributions.MultivariateNormal(train.mean(0), torch.cov(train.T))
    print(f"single gaussian test nll {-cov.log_prob(test).mean().item():+.3f}")
    s = flow.sample(2000)
    near = (torch.cdist(s, test).min(1).values < 0.01).float().mean().item()
    print(f"share of samples within 1 cm of a held-out position: {near:.3f}")


if __name__ == "__main__":
    main()
