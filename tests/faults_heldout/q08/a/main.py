import json
import logging
import os

import numpy as np
import torch
from torch import nn
from torch.optim import lr_scheduler

logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")
logger = logging.getLogger(__name__)
HOME = os.path.dirname(os.path.abspath(__file__))


class ConvNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 20, 3, padding=1), nn.BatchNorm2d(20), nn.ReLU(),
            nn.Conv2d(20, 40, 3, padding=1, stride=2), nn.BatchNorm2d(40), nn.ReLU(),
            nn.Conv2d(40, 40, 3, padding=1, stride=2), nn.BatchNorm2d(40), nn.ReLU(),
        )
        self.fc = nn.Linear(40 * 3 * 3, n_classes)

    def forward(self, x):
        return self.fc(self.features(x).flatten(1))


def make_scheduler(optimizer, c):
    kind = c.pop("name")
    return getattr(lr_scheduler, kind)(optimizer, **c)


class Trainer:
    def __init__(self, cfg):
        torch.manual_seed(cfg["seed"])
        with np.load(os.path.join(HOME, cfg["data"])) as z:
            conv = lambda a: (torch.from_numpy(a.astype(np.float32)) / 255 - 0.35).unsqueeze(1) / 0.3
            self.x, self.y = conv(z["train_x"]), torch.from_numpy(z["train_y"].astype(np.int64))
            self.xv, self.yv = conv(z["test_x"]), torch.from_numpy(z["test_y"].astype(np.int64))
        self.net = ConvNet(int(self.y.max()) + 1)
        self.opt = torch.optim.SGD(self.net.parameters(), **cfg["sgd"])
        self.sched = make_scheduler(self.opt, cfg["scheduler"])
        self.bs, self.epochs = cfg["batch_size"], cfg["epochs"]
        self.crit = nn.CrossEntropyLoss()

    def train_epoch(self):
        self.net.train()
        out = []
        for idx in torch.randperm(len(self.y)).split(self.bs):
            self.opt.zero_grad()
            loss = self.crit(self.net(self.x[idx]), self.y[idx])
            loss.backward()
            self.opt.step()
            self.sched.step()
            out.append(loss.item())
        return float(np.mean(out))

    @torch.no_grad()
    def test(self):
        self.net.eval()
        logits = self.net(self.xv)
        return self.crit(logits, self.yv).item(), (logits.argmax(1) == self.yv).float().mean().item()

    def run(self):
        for e in range(self.epochs):
            tr = self.train_epoch()
            vl, va = self.test()
            logger.info("epoch %d train %.4f test %.4f acc %.3f lr %.2e", e + 1, tr, vl, va, self.sched.get_last_lr()[0])
        torch.save(self.net.state_dict(), os.path.join(HOME, "glyphnet.pt"))


if __name__ == "__main__":
    torch.set_num_threads(1)
    with open(os.path.join(HOME, "config.json")) as fp:
        Trainer(json.load(fp)).run()
