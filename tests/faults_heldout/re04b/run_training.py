import configparser

import torch
from torch import nn
from torch.utils.data import DataLoader, random_split

from dataset import ScanTable


class Trainer:
    def __init__(self, ini):
        cp = configparser.ConfigParser()
        cp.read(ini)
        self.cp = cp
        torch.manual_seed(cp.getint("training", "seed"))
        full = ScanTable(cp["input"]["archive"], cp["input"]["sheet"], cp["input"]["join"])
        n_val = int(0.2 * len(full))
        train, val = random_split(full, [len(full) - n_val, n_val])
        bs = cp.getint("training", "batch")
        self.train_dl = DataLoader(train, bs, shuffle=True)
        self.val_dl = DataLoader(val, 256)
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.GELU(),
            nn.Conv2d(16, 24, 3, padding=1, stride=2), nn.GELU(),
            nn.Flatten(), nn.Dropout(0.25), nn.Linear(24 * 16, 10),
        )
        self.loss = nn.CrossEntropyLoss()
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cp.getfloat("training", "lr"), weight_decay=0.01)

    def one_epoch(self):
        self.net.train()
        acc = 0.0
        for img, digit in self.train_dl:
            self.opt.zero_grad()
            l = self.loss(self.net(img), digit)
            l.backward()
            self.opt.step()
            acc += l.item()
        return acc / len(self.train_dl)

    @torch.inference_mode()
    def validate(self):
        self.net.eval()
        correct = total = 0
        loss = 0.0
        for img, digit in self.val_dl:
            out = self.net(img)
            loss += self.loss(out, digit).item() * len(digit)
            correct += int((out.argmax(1) == digit).sum())
            total += len(digit)
        return loss / total, correct / total

    def run(self):
        for e in range(self.cp.getint("training", "epochs")):
            tr = self.one_epoch()
            if e % 2 == 1:
                vl, va = self.validate()
                print(f"{e + 1:>3} | train {tr:.3f} | val {vl:.3f} | val acc {va:.3f}")


if __name__ == "__main__":
    Trainer("digits.ini").run()
