import configparser
import logging
import os

import torch

from factor import BiasedMF
from ratings import load_ratings

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("mf")
root = os.path.dirname(os.path.abspath(__file__))


class Trainer:
    def __init__(self, cfg):
        m, o = cfg["model"], cfg["optim"]
        (self.u, self.i, self.r), self.val, nu, ni = load_ratings(os.path.join(root, "data", "ratings.csv"))
        log.info("%d users, %d items, %d fit / %d held-out ratings", nu, ni, len(self.r), len(self.val[2]))
        self.net = BiasedMF(nu, ni, m.getint("rank"), self.r.mean().item())
        self.opt = torch.optim.Adam(self.net.parameters(), lr=o.getfloat("lr"), weight_decay=o.getfloat("weight_decay"))
        self.batch = o.getint("batch")

    def rmse(self):
        u, i, r = self.val
        with torch.no_grad():
            return (self.net(u, i).clamp(1, 5) - r).pow(2).mean().sqrt().item()

    def one_epoch(self):
        total = 0.0
        for b in torch.randperm(len(self.r)).split(self.batch):
            loss = torch.nn.functional.mse_loss(self.net(self.u[b], self.i[b]), self.r[b])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(b)
        return total / len(self.r)


def main():
    cfg = configparser.ConfigParser()
    cfg.read(os.path.join(root, "mf.ini"))
    torch.set_num_threads(1)
    torch.manual_seed(cfg["optim"].getint("seed"))
    t = Trainer(cfg)
    base = (t.val[2] - t.r.mean()).pow(2).mean().sqrt().item()
    log.info("constant predictor: held-out rmse %.4f", base)
    for e in range(cfg["optim"].getint("epochs")):
        mse = t.one_epoch()
        log.info("epoch %d  fit mse %.4f  held-out rmse %.4f", e, mse, t.rmse())


if __name__ == "__main__":
    main()
