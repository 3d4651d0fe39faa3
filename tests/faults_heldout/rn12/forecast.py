import tomllib

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

with open("settings.toml", "rb") as fh:
    S = tomllib.load(fh)


class Windows(Dataset):
    def __init__(self, series, history):
        self.s, self.h = series, history

    def __len__(self):
        return len(self.s) - self.h

    def __getitem__(self, i):
        return self.s[i:i + self.h], self.s[i + self.h, :1]


class NextHour(nn.Module):
    def __init__(self, channels=2, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(channels, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.rnn(x)
        return x[:, -1, :1] + self.head(out[:, -1])


def run():
    torch.manual_seed(S["train"]["seed"])
    raw = np.loadtxt(S["data"]["path"], delimiter=",", skiprows=1).astype("float32")
    n = len(raw)
    a, b = int(n * 0.75), int(n * 0.88)
    mu, sd = raw[:a].mean(0), raw[:a].std(0)
    z = torch.from_numpy((raw - mu) / sd)
    h = S["data"]["history"]
    tr = DataLoader(Windows(z[:a], h), batch_size=S["train"]["batch"], shuffle=True)
    va = DataLoader(Windows(z[a - h:b], h), batch_size=256)
    te = DataLoader(Windows(z[b - h:], h), batch_size=256)

    net = NextHour()
    opt = torch.optim.Adam(net.parameters(), lr=S["train"]["rate"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=S["train"]["epochs"])

    def score(dl):
        net.eval()
        with torch.no_grad():
            err = torch.cat([(net(x) - y).squeeze(1) for x, y in dl])
        return err.pow(2).mean().item()

    for ep in range(S["train"]["epochs"]):
        net.train()
        acc, cnt = 0.0, 0
        for x, y in tr:
            loss = nn.functional.mse_loss(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc += loss.item() * len(x)
            cnt += len(x)
        sched.step()
        print(f"epoch {ep + 1} train {acc / cnt:.4f} val {score(va):.4f}")
    print(f"test rmse {sd[0] * score(te) ** 0.5:.3f} m3/s")


run()
