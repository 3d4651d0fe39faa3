import time

import numpy as np
import torch
from torch import nn

from metrics import ConfusionMatrix


class TinyUNet(nn.Module):
    def __init__(self, classes=3, w=8):
        super().__init__()
        conv = lambda i, o: nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU())
        self.a, self.b, self.c = conv(1, w), conv(w, 2 * w), conv(3 * w, w)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.out = nn.Conv2d(w, classes, 1)

    def forward(self, x):
        a = self.a(x)
        b = self.up(self.b(self.pool(a)))
        return self.out(self.c(torch.cat([a, b], 1)))


def main():
    torch.manual_seed(1)
    z = np.load("tiles.npz")
    x = torch.from_numpy(z["image"]).float().unsqueeze(1) / 127.5 - 1.0
    y = torch.from_numpy(z["mask"]).long()
    x_tr, y_tr, x_va, y_va = x[:160], y[:160], x[160:], y[160:]
    net = TinyUNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    cm_train, cm_val = ConfusionMatrix(3), ConfusionMatrix(3)

    for epoch in range(3):
        start = time.time()
        net.train()
        cm_train.reset()
        for step, idx in enumerate(torch.randperm(len(x_tr)).split(8)):
            logits = net(x_tr[idx])
            loss = nn.functional.cross_entropy(logits, y_tr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            cm_train.update(logits.argmax(1), y_tr[idx])
            if step % 10 == 0:
                print(f"  step {step} loss {loss.item():.4f}")
        net.eval()
        cm_val.reset()
        with torch.no_grad():
            cm_val.update(net(x_va).argmax(1), y_va)
        print(f"epoch {epoch} mIoU train {cm_train.miou():.3f} val {cm_val.miou():.3f}  {time.time() - start:.1f}s")


main()
