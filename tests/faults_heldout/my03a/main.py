import json
import sys

import torch
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from bearing.data import load_split
from bearing.net import WearNet
from bearing.ordinal import CumulativeLinkLoss


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        self.sets = {s: load_split(cfg["data"], s, cfg["grades"]) for s in ("fit", "dev", "eval")}
        self.net = WearNet(cfg["channels"])
        self.criterion = CumulativeLinkLoss(len(cfg["grades"]))
        params = list(self.net.parameters()) + list(self.criterion.parameters())
        self.opt = torch.optim.AdamW(params, lr=cfg["lr"], weight_decay=cfg["weight_decay"])
        steps = cfg["epochs"] * -(-len(self.sets["fit"][0]) // cfg["batch_size"])
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, steps)

    def run_epoch(self):
        self.net.train()
        x, y = self.sets["fit"]
        losses = []
        for idx in torch.randperm(len(x)).split(self.cfg["batch_size"]):
            loss = self.criterion(self.net(x[idx]), y[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def evaluate(self, split):
        self.net.eval()
        x, y = self.sets[split]
        score = self.net(x)
        pred = self.criterion.decode(score)
        return {
            "loss": self.criterion(score, y).item(),
            "acc": (pred == y).float().mean().item(),
            "mae": (pred - y).abs().float().mean().item(),
            "qwk": cohen_kappa_score(y, pred, weights="quadratic"),
            "pred": pred,
        }

    def fit(self):
        for epoch in range(self.cfg["epochs"]):
            train_loss = self.run_epoch()
            if epoch % 3 == 0 or epoch == self.cfg["epochs"] - 1:
                m = self.evaluate("dev")
                print(f"epoch {epoch:2d} fit {train_loss:.4f} dev {m['loss']:.4f} acc {m['acc']:.3f} mae {m['mae']:.3f} qwk {m['qwk']:.3f}")


if __name__ == "__main__":
    with open(sys.argv[1] if len(sys.argv) > 1 else "config.json") as fh:
        config = json.load(fh)
    trainer = Trainer(config)
    trainer.fit()
    m = trainer.evaluate("eval")
    print(f"eval: acc {m['acc']:.3f}  mae {m['mae']:.3f}  qwk {m['qwk']:.3f}")
    print(config["grades"])
    print(confusion_matrix(trainer.sets["eval"][1], m["pred"]))
