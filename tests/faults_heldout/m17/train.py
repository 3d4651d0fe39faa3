"""Foreground segmentation of synthetic shapes with a small encoder-decoder."""
import resource

import torch
import torch.nn as nn
import torch.nn.functional as F

from probes import ActivationProbe


def shapes(n, size, g):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    c = torch.rand(n, 2, 1, 1, generator=g) * size * 0.6 + size * 0.2
    r = torch.rand(n, 1, 1, generator=g) * size * 0.15 + size * 0.1
    round_ = (xx - c[:, 0]) ** 2 + (yy - c[:, 1]) ** 2 < r ** 2
    square = ((xx - c[:, 0]).abs() < r) & ((yy - c[:, 1]).abs() < r)
    mask = torch.where(torch.rand(n, 1, 1, generator=g) < 0.5, round_, square).float()
    img = mask * 0.8 + 0.5 * torch.randn(n, size, size, generator=g)
    return img[:, None], mask[:, None]


class SegNet(nn.Module):
    def __init__(self, w=16):
        super().__init__()
        self.enc1 = nn.Sequential(nn.Conv2d(1, w, 3, padding=1), nn.ReLU())
        self.enc2 = nn.Sequential(nn.Conv2d(w, 2 * w, 3, stride=2, padding=1), nn.ReLU())
        self.enc3 = nn.Sequential(nn.Conv2d(2 * w, 2 * w, 3, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * w, w, 2, stride=2)
        self.dec = nn.Sequential(nn.Conv2d(2 * w, w, 3, padding=1), nn.ReLU())
        self.out = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc3(self.enc2(a))
        return self.out(self.dec(torch.cat([a, self.up(b)], 1)))


def iou(model, img, mask):
    model.eval()
    with torch.no_grad():
        p = model(img) > 0
    model.train()
    m = mask > 0.5
    return ((p & m).sum() / (p | m).sum()).item()


def main(epochs=5, steps=45, batch=24, size=32):
    torch.manual_seed(14)
    g = torch.Generator().manual_seed(14)
    val_img, val_mask = shapes(64, size, g)
    net = SegNet()
    probe = ActivationProbe(net, (nn.ReLU,))
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(epochs):
        tot = 0.0
        for _ in range(steps):
            img, mask = shapes(batch, size, g)
            loss = F.binary_cross_entropy_with_logits(net(img), mask)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        stats = " ".join(f"{n}:{m:.2f}/{z:.0%}" for n, (m, z) in probe.summary().items())
        print(f"epoch {epoch} loss {tot / steps:.4f} iou {iou(net, val_img, val_mask):.3f} peak {rss:.0f} MB [{stats}]")


if __name__ == "__main__":
    main()
