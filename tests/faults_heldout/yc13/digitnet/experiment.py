import torch
import torch.nn.functional as F

from . import data
from .ema import WeightAverage
from .net import DigitNet
from .stepper import AccumulatingStepper


class Experiment:
    def __init__(self, cfg):
        torch.manual_seed(cfg["seed"])
        self.cfg = cfg
        self.loaders = data.build(cfg["data"], cfg["seed"])
        self.model = DigitNet(**cfg["model"])
        self.average = WeightAverage(self.model, cfg["ema"])
        micro = cfg["epochs"] * len(self.loaders["train"])
        self.step = AccumulatingStepper(self.model, cfg["optim"], micro, after_step=[self.average.update])

    def forward(self, model, x):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.cfg["amp"]):
            return model(x).float()

    def train(self):
        for epoch in range(1, self.cfg["epochs"] + 1):
            self.model.train()
            losses = []
            for x, y in self.loaders["train"]:
                loss = F.cross_entropy(self.forward(self.model, x), y, label_smoothing=self.cfg["label_smoothing"])
                self.step(loss)
                losses.append(loss.item())
            lr = self.step.opt.param_groups[0]["lr"]
            print(f"{epoch:2d} | loss {sum(losses) / len(losses):.4f} | lr {lr:.4f} | "
                  f"val raw {self.accuracy(self.model, 'val'):.4f} ema {self.accuracy(self.average.shadow, 'val'):.4f}",
                  flush=True)

    @torch.no_grad()
    def accuracy(self, model, split):
        model.eval()
        hit = n = 0
        for x, y in self.loaders[split]:
            hit += (self.forward(model, x).argmax(1) == y).sum().item()
            n += len(y)
        return hit / n

    def test(self, which):
        return self.accuracy(self.model if which == "raw" else self.average.shadow, "test")
