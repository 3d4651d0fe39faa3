import configparser
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from network import VibrationNet
from recordings import CONDITIONS, Archive

BASE = os.path.dirname(os.path.abspath(__file__))


class Trainer:
    def __init__(self, ini):
        torch.manual_seed(ini.getint("train", "seed"))
        d = ini["data"]
        archive = Archive(os.path.join(BASE, d["folder"]), d["signals"], d["index"], d.getfloat("full_scale_g"))
        self.train_data = TensorDataset(*archive.split("train"))
        self.val_x, self.val_y = archive.split("val")
        t = ini["train"]
        self.epochs = t.getint("epochs")
        self.loader = DataLoader(self.train_data, batch_size=t.getint("batch"), shuffle=True)
        self.net = VibrationNet(ini.getint("model", "channels"), len(CONDITIONS), ini.getfloat("model", "dropout"))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=t.getfloat("lr"), weight_decay=t.getfloat("weight_decay"))
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, self.epochs * len(self.loader))
        self.criterion = nn.CrossEntropyLoss()

    def train_epoch(self):
        self.net.train()
        total = 0.0
        for x, y in self.loader:
            self.opt.zero_grad()
            loss = self.criterion(self.net(x), y)
            loss.backward()
            self.opt.step()
            self.sched.step()
            total += loss.item() * len(y)
        return total / len(self.train_data)

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        logits = self.net(self.val_x)
        return self.criterion(logits, self.val_y).item(), logits.argmax(1)

    def run(self):
        for epoch in range(self.epochs):
            train_loss = self.train_epoch()
            val_loss, pred = self.validate()
            if (epoch + 1) % 3 == 0:
                acc = (pred == self.val_y).float().mean().item()
                print(f"epoch {epoch + 1:2d}: train {train_loss:.3f}, val {val_loss:.3f}, val acc {acc:.3f}")
        print("recall per condition")
        for k, name in enumerate(CONDITIONS):
            members = self.val_y == k
            print(f"  {name:<12s}{(pred[members] == k).float().mean().item():.3f}  (n={int(members.sum())})")


if __name__ == "__main__":
    ini = configparser.ConfigParser()
    ini.read(os.path.join(BASE, "settings.ini"))
    Trainer(ini).run()
