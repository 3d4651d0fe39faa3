import yaml
import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

from activity.data import load
from activity.layers import ActivityNet


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        train, test, self.names = load(cfg["data"]["file"], cfg["data"]["test_wearers"])
        self.train_loader = DataLoader(train, batch_size=cfg["train"]["batch_size"], shuffle=True)
        self.test_loader = DataLoader(test, batch_size=len(test))
        self.model = ActivityNet(channels=3, classes=len(self.names), **cfg["model"])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg["train"]["lr"], weight_decay=0.01)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, cfg["train"]["epochs"])

    def fit_epoch(self):
        self.model.train()
        total, count = 0.0, 0
        for windows, activity in self.train_loader:
            self.optimizer.zero_grad()
            loss = cross_entropy(self.model(windows), activity)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(activity)
            count += len(activity)
        self.scheduler.step()
        return total / count

    @torch.no_grad()
    def test(self):
        self.model.eval()
        windows, activity = next(iter(self.test_loader))
        logits = self.model(windows)
        hit = logits.argmax(1) == activity
        recall = {name: hit[activity == i].float().mean().item() for i, name in enumerate(self.names)}
        return cross_entropy(logits, activity).item(), hit.float().mean().item(), recall

    def run(self):
        for epoch in range(1, self.cfg["train"]["epochs"] + 1):
            train_loss = self.fit_epoch()
            loss, accuracy, recall = self.test()
            print(f"epoch {epoch:2d} | train {train_loss:.4f} | test {loss:.4f} | accuracy {accuracy:.3f}")
        print("recall", {k: round(v, 3) for k, v in recall.items()})


if __name__ == "__main__":
    with open("config.yaml") as fh:
        config = yaml.safe_load(fh)
    torch.manual_seed(config["seed"])
    Trainer(config).run()
