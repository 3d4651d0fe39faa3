# forward kinematics of the three-joint arm, learnt from the log
import json
import os

import numpy as np
import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
cfg = json.load(open(os.path.join(HERE, "arm.json")))


class FKNet(nn.Module):
    def __init__(self, sizes, p_drop):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(i, o) for i, o in zip(sizes[:-1], sizes[1:])])
        self.drop = nn.Dropout(p_drop)

    def forward(self, q):
        h = q
        for layer in self.layers[:-1]:
            h = self.drop(layer(h))
        return self.layers[-1](h)


class ArmLog:
    def __init__(self, path, n_test):
        d = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32)
        np.random.default_rng(cfg["seed"]).shuffle(d)
        self.test, self.train = d[:n_test], d[n_test:]
        self.mu, self.sd = self.train.mean(0), self.train.std(0)

    def tensors(self, part):
        d = torch.from_numpy((getattr(self, part) - self.mu) / self.sd)
        return d[:, :3], d[:, 3:]


def r2(net, q, xy):
    net.eval()
    with torch.no_grad():
        err = ((net(q) - xy) ** 2).sum(0)
    return (1 - err / ((xy - xy.mean(0)) ** 2).sum(0)).tolist()


if __name__ == "__main__":
    torch.manual_seed(cfg["seed"])
    log = ArmLog(os.path.join(HERE, "arm_log.csv"), 600)
    q, xy = log.tensors("train")
    qt, xyt = log.tensors("test")
    net = FKNet([3] + cfg["hidden"] + [2], cfg["dropout"])
    opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
    sch = torch.optim.lr_scheduler.StepLR(opt, cfg["epochs"] // 2, 0.3)
    for ep in range(cfg["epochs"]):
        net.train()
        losses = []
        for b in torch.randperm(len(q)).split(cfg["batch"]):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(q[b]), xy[b])
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sch.step()
        if ep % 10 == 9:
            rx, ry = r2(net, qt, xyt)
            print(f"epoch {ep + 1} mse {np.mean(losses):.4f}  R2 x {rx:.3f}  y {ry:.3f}")
