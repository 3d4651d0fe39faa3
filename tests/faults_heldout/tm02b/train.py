import json

import torch
from torch import nn
from torch.utils.data import DataLoader

from frames import SIZE, ArmFrames
from model import JointNet

JOINTS = ["base", "elbow", "tip"]


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        self.train_loader = DataLoader(ArmFrames(cfg["n_train"], seed=100), cfg["batch_size"], shuffle=True)
        self.val_loader = DataLoader(ArmFrames(cfg["n_val"], seed=200), 256)
        self.model = JointNet(width=cfg["width"])
        self.criterion = nn.SmoothL1Loss(reduction=cfg["reduction"], beta=0.1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"], nesterov=True)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
            self.optimizer, cfg["epochs"] * len(self.train_loader))

    def train_epoch(self):
        self.model.train()
        running = 0.0
        for images, joints in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(images), joints)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["clip_norm"])
            self.optimizer.step()
            self.scheduler.step()
            running += loss.item()
        return running / len(self.train_loader)

    @torch.no_grad()
    def pixel_error(self):
        self.model.eval()
        errs = []
        for images, joints in self.val_loader:
            delta = (self.model(images) - joints) * (SIZE - 1) / 2
            errs.append(delta.norm(dim=-1))
        return torch.cat(errs).mean(dim=0)

    def fit(self):
        for epoch in range(1, self.cfg["epochs"] + 1):
            loss = self.train_epoch()
            err = self.pixel_error()
            print(f"[{epoch:02d}] loss {loss:.5f}  val error {err.mean():.3f} px  "
                  + "  ".join(f"{n} {e:.2f}" for n, e in zip(JOINTS, err.tolist())))


if __name__ == "__main__":
    with open("config.json") as f:
        Trainer(json.load(f)).fit()
