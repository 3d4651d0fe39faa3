"""Day-ahead load of one feeder with three quantiles."""
import tomllib

import numpy as np
import torch
from torch import nn

conf = tomllib.load(open("forecast.toml", "rb"))
H, F = conf["history"], conf["horizon"]
QS = torch.tensor([float(q) for q in conf["quantiles"].split()])
torch.manual_seed(62)

z = np.load("feeder12.npz")
load, temp = z["load_kw"], z["temp_c"]
hours = np.arange(len(load))
n_days = len(load) // 24
train_until, val_until = int(n_days * .70) * 24, int(n_days * .85) * 24
lm, ls = load[:train_until].mean(), load[:train_until].std()
tm, ts = temp[:train_until].mean(), temp[:train_until].std()
calendar = np.stack([np.sin(2 * np.pi * hours / 24), np.cos(2 * np.pi * hours / 24), (hours // 24 % 7 >= 5) * 1.0], 1)
series = torch.tensor(np.column_stack([(load - lm) / ls, (temp - tm) / ts, calendar]), dtype=torch.float32)


def windows(begin, end, stride):
    """past (all columns) and future (temperature forecast and calendar), target = load"""
    starts = range(begin, end - H - F + 1, stride)
    past = torch.stack([series[s:s + H] for s in starts])
    future = torch.stack([series[s + H:s + H + F, 1:] for s in starts])
    target = torch.stack([series[s + H:s + H + F, 0] for s in starts])
    return past, future, target


class EncoderDecoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.enc = nn.GRU(5, hidden, batch_first=True)
        self.dec = nn.GRU(4, hidden, batch_first=True)
        self.out = nn.Linear(hidden, len(QS))

    def forward(self, past, future):
        _, h = self.enc(past)
        y, _ = self.dec(future, h)
        return self.out(y)


def pinball(pred, target):
    err = target.unsqueeze(-1) - pred
    return torch.maximum(QS * err, (QS - 1) * err).mean()


def evaluate(net, data):
    net.eval()
    with torch.no_grad():
        pred = net(data[0], data[1])
    mae = (pred[..., 1] - data[2]).abs().mean().item() * ls
    inside = ((data[2] > pred[..., 0]) & (data[2] < pred[..., 2])).float().mean().item()
    return pinball(pred, data[2]).item(), mae, inside


train = windows(0, train_until, 3)
val = windows(train_until, val_until, 6)
test = windows(val_until, len(load), 24)
print("train windows", len(train[0]), "val", len(val[0]), "test", len(test[0]))
print("yesterday's curve again: mae %.1f kW" % ((val[0][:, -24:, 0] - val[2]).abs().mean().item() * ls))

net = EncoderDecoder(conf["hidden"])
opt = torch.optim.Adam(net.parameters(), lr=conf["rate"])
steps = -(-len(train[0]) // conf["batch"]) * conf["passes"]
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
for p in range(conf["passes"]):
    net.train()
    acc = 0.0
    for idx in torch.randperm(len(train[0])).split(conf["batch"]):
        loss = pinball(net(train[0][idx], train[1][idx]), train[2][idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        acc += loss.item() * len(idx)
    v = evaluate(net, val)
    print("pass %d  train %.4f  val %.4f  mae %.1f kW  inside band %.2f" % (p + 1, acc / len(train[0]), *v))
print("test pinball %.4f  mae %.1f kW  inside band %.2f" % evaluate(net, test))
