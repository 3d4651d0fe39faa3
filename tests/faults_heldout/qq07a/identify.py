import argparse
from pathlib import Path

import torch

from arm import build, conf, logbook

ROOT = Path(__file__).resolve().parent


def report(net, test, sy):
    x, torque = test
    net.eval()
    with torch.no_grad():
        guess = sy.back(net(x))
    net.train()
    err = guess - torque
    r2 = 1 - err.square().mean(0) / torque.var(0, unbiased=False)
    return err.square().mean(0).sqrt().tolist(), r2.tolist()


def main(argv=None):
    parser = argparse.ArgumentParser(description="learn joint torques from angle, velocity and acceleration")
    parser.add_argument("config", nargs="?", default="conf/arm.yaml")
    cfg = conf.load(ROOT / parser.parse_args(argv).config)
    torch.manual_seed(cfg["seed"])

    (x, y), test, sy = logbook.read(ROOT / cfg["log"], cfg["seed"])
    net = build.network(x.shape[1], y.shape[1], **cfg["network"])
    tr = cfg["training"]
    opt = build.optimizer(net.parameters(), tr["optimizer"], tr["lr"])
    sched = build.schedule(opt, tr["schedule"], tr["epochs"])
    loss_fn = torch.nn.SmoothL1Loss(beta=0.5)

    for epoch in range(1, tr["epochs"] + 1):
        total = 0.0
        for ix in torch.randperm(len(x)).split(tr["batch"]):
            loss = loss_fn(net(x[ix]), y[ix])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(ix)
        sched.step()
        if epoch % 4 == 0 or epoch == 1:
            rmse, r2 = report(net, test, sy)
            print(f"{epoch:3d} loss {total / len(x):.5f} | shoulder {rmse[0]:.2f} Nm R2 {r2[0]:.3f}"
                  f" | elbow {rmse[1]:.2f} Nm R2 {r2[1]:.3f}")


if __name__ == "__main__":
    main()
