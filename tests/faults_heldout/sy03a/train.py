import argparse
import json

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from net import ActivityNet
from windows import Scaler, load_train, load_valid


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        scaler = Scaler(cfg["scaler"])
        self.train_loader = DataLoader(
            load_train(cfg["train_features"]), batch_size=cfg["batch_size"], shuffle=True
        )
        self.valid_loader = DataLoader(load_valid(cfg["valid_raw"], scaler), batch_size=256)
        self.model = ActivityNet(len(cfg["activities"]), dropout=cfg["dropout"])
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"]
        )

    def train_epoch(self):
        self.model.train()
        total, count = 0.0, 0
        for x, y in self.train_loader:
            loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        return total / count

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        total, count = 0.0, 0
        confusion = torch.zeros(len(self.cfg["activities"]), len(self.cfg["activities"]))
        for x, y in self.valid_loader:
            logits = self.model(x)
            total += F.cross_entropy(logits, y, reduction="sum").item()
            count += len(y)
            for true, pred in zip(y, logits.argmax(1)):
                confusion[true, pred] += 1
        return total / count, confusion

    def fit(self):
        for epoch in range(self.cfg["epochs"]):
            train_loss = self.train_epoch()
            valid_loss, confusion = self.validate()
            acc = (confusion.diag().sum() / confusion.sum()).item()
            print(
                f"[{epoch + 1:02d}/{self.cfg['epochs']}] train {train_loss:.4f} "
                f"valid {valid_loss:.4f} acc {acc:.3f}"
            )
        recall = confusion.diag() / confusion.sum(dim=1)
        for name, value in zip(self.cfg["activities"], recall.tolist()):
            print(f"  recall {name:8s} {value:.3f}")
        print(f"valid accuracy {acc:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.json")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    with open(args.config) as f:
        Trainer(json.load(f)).fit()
