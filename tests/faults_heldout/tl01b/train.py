"""District heating: forecast the substation load six hours ahead."""
import configparser

import numpy as np
import torch

from cells import LoadForecaster
from feed import WindowFeed
from optim import Adam, cap_norm, decayed


def main():
    cfg = configparser.ConfigParser()
    cfg.read("run.ini")
    d, m, t = cfg["data"], cfg["model"], cfg["train"]
    seed = t.getint("seed")
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)

    feed = WindowFeed(d["path"], d.getint("context"), d.getint("horizon"), d.getfloat("train_share"))
    net = LoadForecaster(5, m.getint("hidden"))
    params = list(net.parameters())
    opt = Adam(params, t.getfloat("lr"))
    test_x, test_y = feed.test_set()
    unit = float(feed.scale[0])

    step = 0
    for epoch in range(1, t.getint("epochs") + 1):
        losses = []
        for x, y in feed.train_batches(t.getint("batch"), rng):
            opt.lr = decayed(t.getfloat("lr"), step, t.getfloat("tau"))
            loss = ((net(x) - y) ** 2).mean()
            opt.clear()
            loss.backward()
            cap_norm(params, t.getfloat("clip"))
            opt.update()
            losses.append(loss.item())
            step += 1
            if step % 10 == 0:
                print(f"  step {step:5d}  loss {np.mean(losses[-10:]):.4f}")
        with torch.no_grad():
            rmse = unit * float(((net(test_x) - test_y) ** 2).mean().sqrt())
        print(f"epoch {epoch:2d}  train mse {np.mean(losses):.4f}  test rmse {rmse:.3f} MW")
    print(f"final test rmse {rmse:.3f} MW   (same hour yesterday: {feed.naive_rmse():.3f} MW)")


if __name__ == "__main__":
    main()
