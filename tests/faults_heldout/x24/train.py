"""Segmentation of bright discs on a textured background; cyclical learning rate, BCE plus soft Dice."""
import torch
import torch.nn.functional as F
from torch import nn

SIZE = 20


def scenes(n, gen):
    grid = torch.arange(SIZE).float()
    yy, xx = torch.meshgrid(grid, grid, indexing="ij")
    img = 0.5 * torch.randn(n, SIZE, SIZE, generator=gen)
    mask = torch.zeros(n, SIZE, SIZE)
    for _ in range(3):
        c = torch.rand(n, 2, generator=gen) * (SIZE - 4) + 2
        r = torch.rand(n, generator=gen) * 2.0 + 2.0
        inside = (xx - c[:, 0, None, None]) ** 2 + (yy - c[:, 1, None, None]) ** 2 <= r[:, None, None] ** 2
        mask = torch.maximum(mask, inside.float())
    bars = (torch.rand(n, SIZE, 1, generator=gen) < 0.15).float()
    return (img + mask + 0.8 * bars).unsqueeze(1), mask.unsqueeze(1)


class MiniUNet(nn.Module):
    def __init__(self, w=12):
        super().__init__()
        self.d1 = self.block(1, w)
        self.d2 = self.block(w, 2 * w)
        self.u1 = self.block(3 * w, w)
        self.out = nn.Conv2d(w, 1, 1)

    @staticmethod
    def block(a, b):
        return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(),
                             nn.Conv2d(b, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU())

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        return self.out(self.u1(torch.cat([a, F.interpolate(b, scale_factor=2.0)], 1)))


def dice_loss(logits, mask):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    return (1 - (2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)).mean()


@torch.no_grad()
def iou(net, img, mask):
    net.eval()
    pred = net(img) > 0
    net.train()
    m = mask.bool()
    return ((pred & m).sum((1, 2, 3)).float() / (pred | m).sum((1, 2, 3)).clamp(min=1)).mean().item()


def main():
    torch.manual_seed(37)
    gen = torch.Generator().manual_seed(37)
    img, mask = scenes(480, gen)
    test_img, test_mask = scenes(120, gen)
    net = MiniUNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, nesterov=True, weight_decay=1e-4)
    steps_per_epoch = len(img) // 24
    sched = torch.optim.lr_scheduler.CyclicLR(opt, base_lr=0.004, max_lr=0.12, step_size_up=2 * steps_per_epoch,
                                              mode="triangular2", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95)
    for epoch in range(12):
        total = 0.0
        for idx in torch.randperm(len(img)).split(24):
            logits = net(img[idx])
            loss = F.binary_cross_entropy_with_logits(logits, mask[idx]) + dice_loss(logits, mask[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item()
        print(f"epoch {epoch + 1:2d}  lr {sched.get_last_lr()[0]:.4f}  loss {total / steps_per_epoch:.4f}  test IoU {iou(net, test_img, test_mask):.4f}", flush=True)


if __name__ == "__main__":
    main()
