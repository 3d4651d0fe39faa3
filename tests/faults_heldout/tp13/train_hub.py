import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from keypoints import SIZE, HubSet, photos

CFG = dict(seed=9, train=1800, val=500, batch=50, epochs=14, lr=3e-3)


class HubNet(nn.Module):
    def __init__(self):
        super().__init__()

        def conv(i, o):
            return [nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(), nn.MaxPool2d(2)]

        self.features = nn.Sequential(*conv(1, 8), *conv(8, 16), *conv(16, 32))
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(32 * 9, 48), nn.ReLU(), nn.Linear(48, 2))

    def forward(self, x):
        return self.head(self.features(x)) + 0.5


class Fit:
    def __init__(self, cfg):
        torch.manual_seed(cfg["seed"])
        self.cfg = cfg
        tr, va = photos(cfg["train"], cfg["seed"]), photos(cfg["val"], cfg["seed"] + 400)
        m, s = tr[0].mean(), tr[0].std()
        self.train = DataLoader(HubSet(*tr, m, s, np.random.default_rng(cfg["seed"])), cfg["batch"], shuffle=True)
        self.val = DataLoader(HubSet(*va, m, s), 250)
        self.net = HubNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg["lr"])
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg["epochs"] * len(self.train))

    def epoch(self):
        self.net.train()
        total = 0.0
        for img, pt in self.train:
            loss = ((self.net(img) - pt) ** 2).sum(1).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            total += loss.item()
        return total / len(self.train)

    @torch.no_grad()
    def pixels(self):
        self.net.eval()
        dist = [((self.net(img) - pt) * (SIZE - 1)).norm(dim=1) for img, pt in self.val]
        return torch.cat(dist).numpy()

    def run(self):
        for ep in range(1, self.cfg["epochs"] + 1):
            loss = self.epoch()
            d = self.pixels()
            print(f"epoch {ep:2d} loss {loss:.5f}  val error mean {d.mean():.2f} px  90% below {np.quantile(d, .9):.2f} px")


Fit(CFG).run()
