import argparse

import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader

from data import splits
from model import SmallCNN


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        train, val, test = splits(cfg)
        self.train_loader = DataLoader(train, cfg["batch_size"], shuffle=True, drop_last=True)
        self.val_loader = DataLoader(val, 256)
        self.test_loader = DataLoader(test, 256)
        self.model = SmallCNN(cfg["width"], dropout=cfg["dropout"])
        self.loss = nn.CrossEntropyLoss(label_smoothing=cfg["label_smoothing"])
        self.opt = torch.optim.SGD(self.model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"],
                                   weight_decay=cfg["weight_decay"], nesterov=True)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg["epochs"] * len(self.train_loader))

    def epoch(self):
        self.model.train()
        total, right, n = 0.0, 0, 0
        for x, y in self.train_loader:
            out = self.model(x)
            loss = self.loss(out, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            total += loss.item() * len(y)
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
        return total / n, right / n

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        total, right, n = 0.0, 0, 0
        for x, y in loader:
            out = self.model(x)
            total += self.loss(out, y).item() * len(y)
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
        return total / n, right / n

    def fit(self):
        best, state = -1.0, None
        for e in range(1, self.cfg["epochs"] + 1):
            tl, ta = self.epoch()
            vl, va = self.evaluate(self.val_loader)
            if va >= best:
                best, state = va, {k: v.clone() for k, v in self.model.state_dict().items()}
            print(f"[{e:02d}/{self.cfg['epochs']}] loss {tl:.3f} acc {ta:.3f} | val loss {vl:.3f} acc {va:.3f}")
        self.model.load_state_dict(state)
        tl, ta = self.evaluate(self.test_loader)
        print(f"test loss {tl:.3f} acc {ta:.4f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.yaml")
    ap.add_argument("--seed", type=int)
    args = ap.parse_args()
    with open(args.config) as f:
        cfg = yaml.safe_load(f)
    if args.seed is not None:
        cfg["seed"] = args.seed
    Trainer(cfg).fit()
