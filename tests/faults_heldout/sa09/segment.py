"""Cell segmentation on synthetic fluorescence tiles (tiny U-Net)."""
import logging
import resource

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("segment")


def make_tiles(n, size, rng):
    yy, xx = np.mgrid[:size, :size].astype(np.float32)
    image = np.zeros((n, 1, size, size), np.float32)
    mask = np.zeros((n, 1, size, size), np.float32)
    for i in range(n):
        for _ in range(rng.integers(2, 6)):
            cy, cx = rng.uniform(4, size - 4, 2)
            r = rng.uniform(3, 6)
            d = np.hypot(yy - cy, xx - cx)
            mask[i, 0][d < r] = 1
            image[i, 0] += rng.uniform(0.5, 1.0) * np.exp(-((d / r) ** 4))
        image[i, 0] += 0.3 * xx / size + rng.normal(0, 0.25, (size, size))
    return torch.from_numpy((image - 0.4) / 0.45), torch.from_numpy(mask)


def double_conv(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1), nn.ReLU(inplace=True),
        nn.Conv2d(c_out, c_out, 3, padding=1), nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, base=12):
        super().__init__()
        self.enc1 = double_conv(1, base)
        self.enc2 = double_conv(base, 2 * base)
        self.up = nn.ConvTranspose2d(2 * base, base, 2, stride=2)
        self.dec = double_conv(2 * base, base)
        self.out = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(F.max_pool2d(a, 2))
        return self.out(self.dec(torch.cat([a, self.up(b)], dim=1)))


class FeatureProbe:
    """Collects activations of selected layers for the mosaic figures in the report."""

    def __init__(self, model, layers):
        self.maps = {name: [] for name in layers}
        modules = dict(model.named_modules())
        for name in layers:
            modules[name].register_forward_hook(self._hook(name))

    def _hook(self, name):
        def keep(module, inputs, output):
            self.maps[name].append(output.detach().clone())
        return keep

    def summary(self):
        return {name: float(maps[-1].mean()) for name, maps in self.maps.items()}


def soft_dice(logits, target):
    p = torch.sigmoid(logits).flatten(1)
    t = target.flatten(1)
    return 1 - ((2 * (p * t).sum(1) + 1) / (p.sum(1) + t.sum(1) + 1)).mean()


@torch.no_grad()
def mean_iou(model, images, masks):
    model.eval()
    pred = torch.cat([model(chunk) for chunk in images.split(16)]) > 0
    m = masks.bool()
    inter = (pred & m).flatten(1).sum(1).float()
    union = (pred | m).flatten(1).sum(1).float()
    return (inter / union.clamp(min=1)).mean().item()


def main(epochs=8, batch=16, lr=3e-3):
    torch.manual_seed(64)
    rng = np.random.default_rng(64)
    train_x, train_y = make_tiles(400, 40, rng)
    val_x, val_y = make_tiles(96, 40, rng)

    model = UNet()
    probe = FeatureProbe(model, ["enc1", "enc2", "dec"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=lr, total_steps=epochs * (len(train_x) // batch))

    for epoch in range(epochs):
        model.train()
        perm = torch.randperm(len(train_x))
        losses = []
        for idx in perm.split(batch):
            logits = model(train_x[idx])
            loss = F.binary_cross_entropy_with_logits(logits, train_y[idx]) + soft_dice(logits, train_y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            losses.append(loss.item())
        iou = mean_iou(model, val_x, val_y)
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        log.info("epoch %d loss %.4f val iou %.4f peak rss %.0f MB", epoch, np.mean(losses), iou, rss)
    log.info("mean activations %s", {k: round(v, 3) for k, v in probe.summary().items()})


if __name__ == "__main__":
    main()
