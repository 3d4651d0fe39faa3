import configparser
import math
import sys

import torch
import torch.nn as nn

CLASSES = ("up", "down", "unclear")


def synth(n, samples, noise, g):
    t = torch.arange(samples).float()
    y = torch.randint(3, (n,), generator=g)
    onset = samples / 2 + torch.randint(-4, 5, (n, 1), generator=g)
    d = (t - onset).clamp(min=0)
    f = 0.04 + 0.05 * torch.rand(n, 1, generator=g)
    tail = 0.03 + 0.04 * torch.rand(n, 1, generator=g)
    wave = torch.exp(-tail * d) * torch.sin(2 * math.pi * f * d)
    sign = torch.tensor([1.0, -1.0, 0.0])[y].unsqueeze(1)
    coda = torch.nn.functional.conv1d(torch.randn(n, 1, samples + 4, generator=g), torch.ones(1, 1, 5) / 5 ** 0.5)
    late = torch.sigmoid((t - onset - 6) / 3) * coda.squeeze(1)
    x = sign * wave * 1.5 + 0.5 * late + noise * torch.randn(n, samples, generator=g)
    return x, y


class Augment:
    def __init__(self, section):
        self.shift = section.getint("max_shift")
        self.gain = section.getfloat("gain_db")
        self.flip = section.getfloat("polarity_flip")
        self.drop = section.getfloat("dropout_prob")

    def __call__(self, x):
        n = len(x)
        x = torch.roll(x, int(torch.randint(-self.shift, self.shift + 1, ())), 1)
        x = x * 10 ** ((torch.rand(n, 1) * 2 - 1) * self.gain / 20)
        x = torch.where(torch.rand(n, 1) < self.flip, -x, x)
        return x * (torch.rand_like(x) >= self.drop)


def standard(x):
    return x / x.std(1, keepdim=True).clamp_min(1e-6)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(
            nn.Conv1d(1, 16, 7, 2, 3), nn.BatchNorm1d(16), nn.ReLU(),
            nn.Conv1d(16, 24, 5, 2, 2), nn.BatchNorm1d(24), nn.ReLU(),
            nn.Conv1d(24, 32, 5, 2, 2), nn.BatchNorm1d(32), nn.ReLU(), nn.Flatten())
        self.c = nn.LazyLinear(3)

    def forward(self, x):
        return self.c(self.f(x.unsqueeze(1)))


def main(path):
    ini = configparser.ConfigParser()
    ini.read(path)
    d, o = ini["data"], ini["optim"]
    torch.manual_seed(o.getint("seed"))
    g = torch.Generator().manual_seed(300)
    x, y = synth(d.getint("traces"), d.getint("samples"), d.getfloat("noise"), g)
    k = d.getint("held_out")
    vx, vy, x, y = x[:k], y[:k], x[k:], y[k:]
    augment = Augment(ini["augment"])
    net = Net()
    net(vx[:2])
    opt = torch.optim.AdamW(net.parameters(), lr=o.getfloat("lr"), weight_decay=0.02)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, o.getint("epochs"))
    for epoch in range(o.getint("epochs")):
        net.train()
        tot = 0.0
        for i in torch.randperm(len(x)).split(o.getint("batch")):
            loss = nn.functional.cross_entropy(net(standard(augment(x[i]))), y[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(i)
        sched.step()
        net.eval()
        with torch.no_grad():
            z = net(standard(vx))
            vl = nn.functional.cross_entropy(z, vy).item()
            hit = [(z.argmax(1) == c)[vy == c].float().mean().item() for c in range(3)]
        print(f"{epoch:2d} loss {tot / len(x):.4f} val {vl:.4f} " +
              " ".join(f"{n} {h:.3f}" for n, h in zip(CLASSES, hit)))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "picker.ini")
