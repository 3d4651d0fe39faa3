import os

import numpy as np
import torch
import torch.nn as nn

here = os.path.dirname(os.path.abspath(__file__))
data = np.load(os.path.join(here, "beats.npz"))
to = lambda k, t: torch.from_numpy(data[k]).to(t)
x_tr, y_tr = to("train_x", torch.float32)[:, None], to("train_y", torch.float32)
x_va, y_va = to("valid_x", torch.float32)[:, None], to("valid_y", torch.float32)

torch.manual_seed(23)


class BeatNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(
            nn.Conv1d(1, 12, 7, stride=2, padding=3), nn.ReLU(),
            nn.Conv1d(12, 24, 5, stride=2, padding=2), nn.ReLU(),
            nn.Conv1d(24, 24, 3, padding=1), nn.ReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten(),
        )
        self.head = nn.Linear(96, 1)

    def forward(self, x):
        return self.head(self.f(x)).squeeze(1)


net = BeatNet()
opt = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)
crit = nn.BCEWithLogitsLoss()

for epoch in range(14):
    net.train()
    tot = 0.0
    for idx in torch.randperm(len(x_tr)).split(48):
        opt.zero_grad()
        loss = crit(net(x_tr[idx]), y_tr[idx])
        loss.backward()
        opt.step()
        tot += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        hat = (net(x_va) > 0).float()
    acc = (hat == y_va).float().mean().item()
    rec = hat[y_va == 1].mean().item()
    spec = 1 - hat[y_va == 0].mean().item()
    row = [epoch, round(tot / len(x_tr), 4), round(acc, 4), round(rec, 4), round(spec, 4)]
    print("epoch %d  loss %.4f  acc %.4f  recall %.4f  spec %.4f" % tuple(row))
