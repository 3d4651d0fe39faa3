import numpy as np
import torch
from torch import nn


class Clips(torch.utils.data.Dataset):
    def __init__(self, x, y, train):
        self.x, self.y, self.train = x, y, train

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        if self.train:
            x = x.clone()
            s = int(torch.randint(-2, 3, ()))                  # time shift, edge repeated
            if s > 0:
                x = torch.cat([x[:, :1].expand(-1, s), x[:, :-s]], 1)
            elif s < 0:
                x = torch.cat([x[:, -s:], x[:, -1:].expand(-1, -s)], 1)
            x = x + 0.3 * torch.randn_like(x) + 0.2 * torch.randn(())   # noise and gain
            f = int(torch.randint(0, 15, ()))                  # SpecAugment: one frequency and one time stripe
            x[f:f + int(torch.randint(0, 3, ()))] = 0
            t = int(torch.randint(0, 22, ()))
            x[:, t:t + int(torch.randint(0, 4, ()))] = 0
        return x, self.y[i]


def conv(i, o, pool):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(), nn.MaxPool2d(pool))


class Tagger(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.body = nn.Sequential(conv(1, 16, 2), conv(16, 32, 2), conv(32, 48, (1, 2)))
        self.fc = nn.Linear(48 * 4, n)
        self.drop = nn.Dropout(0.3)

    def forward(self, x):
        h = self.body(x.unsqueeze(1)).amax(3).flatten(1)
        return self.fc(self.drop(h))


def main(epochs=26, peak=1e-2, batch=32):
    torch.manual_seed(64)
    z = np.load("clips.npz")
    x = torch.from_numpy(z["logmel"].astype(np.float32))
    y = torch.from_numpy(z["label"].astype(np.int64))
    perm = torch.randperm(len(y))
    tr, va = perm[:700], perm[700:]
    m, s = x[tr].mean(), x[tr].std()
    x = (x - m) / s
    loader = torch.utils.data.DataLoader(Clips(x[tr], y[tr], True), batch, shuffle=True, drop_last=True)
    net = Tagger(int(y.max()) + 1)
    opt = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=1e-2)
    cyc = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=peak, total_steps=epochs * len(loader), pct_start=0.25)
    ce = nn.CrossEntropyLoss()
    for e in range(epochs):
        net.train()
        tot = []
        for xb, yb in loader:
            loss = ce(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            cyc.step()
            tot.append(loss.item())
        net.eval()
        with torch.no_grad():
            o = net(x[va])
        if e % 3 == 1:
            print(f"epoch {e:2d} lr {cyc.get_last_lr()[0]:.1e} train {np.mean(tot):.3f} val {ce(o, y[va]):.3f} acc {(o.argmax(1) == y[va]).float().mean():.3f}")


if __name__ == "__main__":
    main()
