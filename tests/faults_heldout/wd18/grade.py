import argparse
from pathlib import Path

import torch
import yaml
from sklearn.metrics import cohen_kappa_score
from torch.utils.data import DataLoader, TensorDataset

from ordinal.coral import CoralNet, coral_loss, predict
from ordinal.table import load


class Trainer:
    def __init__(self, cfg, root):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        self.train, self.val, self.test = load(root / cfg["table"], cfg["target"], cfg["log_columns"], cfg["seed"])
        counts = torch.bincount(self.train[1]).float()
        self.model = CoralNet(self.train[0].shape[1], counts, cfg["hidden"], cfg["dropout"])
        decay = [p for n, p in self.model.named_parameters() if n.endswith("weight")]
        other = [p for n, p in self.model.named_parameters() if not n.endswith("weight")]
        self.opt = torch.optim.AdamW([{"params": decay, "weight_decay": cfg["weight_decay"]},
                                      {"params": other, "weight_decay": 0.0,
                                       "lr": cfg["lr_bias"]}], lr=cfg["lr"])
        self.loader = DataLoader(TensorDataset(*self.train), cfg["batch_size"], shuffle=True)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg["epochs"])

    @torch.no_grad()
    def score(self, split):
        self.model.eval()
        x, y = split
        logits = self.model(x)
        pred = predict(logits)
        return {"loss": coral_loss(logits, y).item(), "acc": (pred == y).float().mean().item(),
                "mae": (pred - y).abs().float().mean().item(),
                "qwk": cohen_kappa_score(y.numpy(), pred.numpy(), weights="quadratic")}

    def fit(self):
        for epoch in range(1, self.cfg["epochs"] + 1):
            self.model.train()
            total = 0.0
            for x, y in self.loader:
                loss = coral_loss(self.model(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                total += loss.item() * len(x)
            self.sched.step()
            if epoch % 3 == 0:
                v = self.score(self.val)
                print(f"epoch {epoch:2d}  train {total / len(self.train[1]):.4f}  val {v['loss']:.4f}  "
                      f"acc {v['acc']:.3f}  MAE {v['mae']:.3f}  QWK {v['qwk']:.3f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.yaml")
    root = Path(__file__).resolve().parent
    cfg = yaml.safe_load((root / ap.parse_args().config).read_text())
    trainer = Trainer(cfg, root)
    trainer.fit()
    for name, split in (("train", trainer.train), ("test", trainer.test)):
        print(name, {k: round(v, 4) for k, v in trainer.score(split).items()})


if __name__ == "__main__":
    main()
