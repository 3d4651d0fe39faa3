# Compress 8x8 digit scans to a few numbers and back; the coder continues from a stored state.
import argparse
import json

import torch
from sklearn.datasets import load_digits
from torch import nn, optim


def blocks(sizes, act):
    out = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        out += [nn.Linear(a, b), act()]
    return out


class Coder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.enc = nn.Sequential(*blocks([64, 48, 32, code], nn.Tanh))
        self.dec = nn.Sequential(*blocks([code, 32, 48], nn.Tanh), nn.Linear(48, 64))

    def forward(self, x):
        return self.dec(self.enc(x))


class Trainer:
    def __init__(self, opt):
        self.o = opt
        g = torch.Generator().manual_seed(opt.split_seed)
        x = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
        x = x[torch.randperm(len(x), generator=g)]
        self.train, self.test = x[:1440], x[1440:]
        self.mean = self.train.mean(0)
        self.net = Coder(opt.code)
        self.net.enc.load_state_dict(torch.load(opt.resume_enc))
        self.optim = optim.Adam(self.net.parameters(), lr=opt.lr)

    def loss(self, x):
        x = x - self.mean
        return (self.net(x) - x).square().sum(1).mean()

    def epoch(self):
        self.net.train()
        tot = 0.0
        for idx in torch.randperm(len(self.train)).split(self.o.batch):
            l = self.loss(self.train[idx])
            self.optim.zero_grad(set_to_none=True)
            l.backward()
            self.optim.step()
            tot += l.item() * len(idx)
        return tot / len(self.train)

    def held_out(self):
        self.net.eval()
        with torch.no_grad():
            return self.loss(self.test).item()

    def fit(self):
        sched = optim.lr_scheduler.CosineAnnealingLR(self.optim, self.o.epochs, eta_min=1e-5)
        for e in range(self.o.epochs):
            tr = self.epoch()
            sched.step()
            if e % 5 == 4 or e == 0:
                print(json.dumps({"epoch": e + 1, "train_sse": round(tr, 4), "test_sse": round(self.held_out(), 4)}))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--resume-enc", default="enc_state.pt")
    p.add_argument("--code", type=int, default=12)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--split-seed", type=int, default=1)
    opt = p.parse_args()
    torch.manual_seed(opt.split_seed)
    Trainer(opt).fit()
