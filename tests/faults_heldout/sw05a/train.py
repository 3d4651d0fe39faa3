import configparser
import sys
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from corpus import ALPHABET, REGIONS, collate, make_corpus
from model import NameClassifier


class Trainer:
    def __init__(self, cfg, seed):
        torch.manual_seed(seed)
        t = cfg["training"]
        rows = make_corpus(cfg.getint("data", "names_per_region"), cfg.getint("data", "seed"))
        n_val = len(rows) // 5
        self.train_loader = DataLoader(rows[n_val:], t.getint("batch_size"), shuffle=True, collate_fn=collate)
        self.val_loader = DataLoader(rows[:n_val], 200, collate_fn=collate)
        self.net = NameClassifier(len(ALPHABET), len(REGIONS))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=t.getfloat("lr"), momentum=t.getfloat("momentum"),
                                   nesterov=True)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, t.getint("epochs"))
        self.max_norm = t.getfloat("max_grad_norm")
        self.epochs = t.getint("epochs")
        self.criterion = nn.CrossEntropyLoss()

    def train_epoch(self):
        self.net.train()
        total, count = 0.0, 0
        for tokens, lengths, labels in self.train_loader:
            loss = self.criterion(self.net(tokens, lengths), labels)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)
            self.opt.step()
            total += loss.item() * len(labels)
            count += len(labels)
        self.sched.step()
        return total / count

    @torch.no_grad()
    def accuracy(self):
        self.net.eval()
        hits = count = 0
        for tokens, lengths, labels in self.val_loader:
            hits += (self.net(tokens, lengths).argmax(1) == labels).sum().item()
            count += len(labels)
        return hits / count

    def fit(self):
        for epoch in range(self.epochs):
            loss = self.train_epoch()
            print(f"{epoch + 1:3d}/{self.epochs}  loss={loss:.4f}  val_acc={self.accuracy():.3f}")


if __name__ == "__main__":
    config = configparser.ConfigParser()
    config.read(Path(__file__).parent / "settings.ini")
    Trainer(config, int(sys.argv[1]) if len(sys.argv) > 1 else 0).fit()
