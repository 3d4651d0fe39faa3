import torch
import torch.nn.functional as F

from seg.cells import cells
from seg.options import Options
from seg.unet import UNet


def dice_loss(logits, mask):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    return (1 - (2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)).mean()


@torch.no_grad()
def mean_iou(net, x, y):
    net.eval()
    p = net(x) > 0
    t = y > 0.5
    net.train()
    return ((p & t).sum((1, 2, 3)) / (p | t).sum((1, 2, 3)).clamp(min=1)).mean().item()


def main(opt=Options()):
    torch.manual_seed(opt.seed)
    x, y = cells(opt.images, opt.size, 1)
    xt, yt = cells(opt.test_images, opt.size, 2)
    net = UNet(opt)
    optim = torch.optim.AdamW(net.parameters(), lr=opt.lr)
    for epoch in range(opt.epochs):
        seen = 0.0
        for idx in torch.randperm(len(x)).split(opt.batch):
            logits = net(x[idx])
            loss = F.binary_cross_entropy_with_logits(logits, y[idx]) + 0.5 * dice_loss(logits, y[idx])
            optim.zero_grad()
            loss.backward()
            optim.step()
            seen += loss.item() * len(idx)
        print(f"epoch {epoch} loss {seen / len(x):.4f} IoU train {mean_iou(net, x[:150], y[:150]):.4f} test {mean_iou(net, xt, yt):.4f}")


if __name__ == "__main__":
    main()
