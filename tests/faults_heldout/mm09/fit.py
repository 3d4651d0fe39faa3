import pathlib
import tomllib

import torch

from flows.data import lorenz_pairs
from flows.layers import Flow


def moments(x):
    return x.mean(0), x.std(0), torch.corrcoef(x.T)[0, 1]


def main(path):
    cfg = tomllib.loads(path.read_text())
    torch.manual_seed(cfg["seed"])
    d, o = cfg["data"], cfg["optim"]
    train = torch.from_numpy(lorenz_pairs(d["train"], d["train_seed"]))
    test = torch.from_numpy(lorenz_pairs(d["test"], d["test_seed"]))
    g = torch.distributions.MultivariateNormal(train.mean(0), torch.cov(train.T))
    print(f"gaussian fit: test nll {-g.log_prob(test).mean():.4f} nats")

    flow = Flow(3, **cfg["model"])
    opt = torch.optim.Adamax(flow.parameters(), lr=o["lr"] * 2)
    total = o["epochs"] * (len(train) // o["batch"])
    ramp = lambda i: min(1.0, (i + 1) / o["warmup_steps"]) * (1 - i / total) ** 0.5
    sched = torch.optim.lr_scheduler.LambdaLR(opt, ramp)
    for ep in range(1, o["epochs"] + 1):
        s = 0.0
        parts = torch.randperm(len(train)).split(o["batch"])
        for b in parts:
            loss = -flow.log_prob(train[b]).mean()
            opt.zero_grad()
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(flow.parameters(), o["clip"])
            opt.step()
            sched.step()
            s += loss.item()
        with torch.no_grad():
            nll = -flow.log_prob(test).mean().item()
        if ep % 3 == 0 or ep == 1:
            print(f"epoch {ep:3d} train nll {s/len(parts):.4f} test nll {nll:.4f} grad norm {norm:.3f}")
    x = flow.sample(4000)
    for name, v in (("test", test), ("flow", x)):
        m, sd, c = moments(v)
        print(name, "mean", [round(t, 2) for t in m.tolist()], "std", [round(t, 2) for t in sd.tolist()], f"corr(x,y) {c:.3f}")


if __name__ == "__main__":
    main(pathlib.Path(__file__).with_name("flow.toml"))
