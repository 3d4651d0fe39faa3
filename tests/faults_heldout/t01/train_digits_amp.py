import argparse
import torch, torch.nn as nn, torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split


class ConvBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1, bias=False)
        self.norm = nn.GroupNorm(4, cout)
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x):
        return F.silu(self.norm(self.conv(x))) + self.skip(x)


def make_model():
    return nn.Sequential(ConvBlock(1, 16), nn.MaxPool2d(2), ConvBlock(16, 32), ConvBlock(32, 32),
                         nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(128, 10))


def main(opt):
    torch.manual_seed(opt.seed)
    d = load_digits()
    ds = TensorDataset(torch.tensor(d.images, dtype=torch.float32)[:, None].div_(16), torch.tensor(d.target))
    train, val = random_split(ds, [1437, 360], generator=torch.Generator().manual_seed(1))
    tl = DataLoader(train, opt.bs, shuffle=True, drop_last=True)
    vl = DataLoader(val, 360)
    net = make_model()
    optim = torch.optim.AdamW(net.parameters(), lr=opt.lr, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.OneCycleLR(optim, max_lr=opt.lr, total_steps=opt.epochs * len(tl), pct_start=0.25)
    for ep in range(opt.epochs):
        net.train()
        avg = 0
        for x, y in tl:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = net(x)
            loss = F.cross_entropy(logits.float(), y, label_smoothing=0.15)
            optim.zero_grad(set_to_none=True)
            loss.backward()
            optim.step()
            sched.step()
            avg += loss.item() / len(tl)
        net.eval()
        with torch.no_grad():
            x, y = next(iter(vl))
            out = net(x)
            print(f"ep {ep:02d} lr {sched.get_last_lr()[0]:.5f} train {avg:.4f} "
                  f"val {F.cross_entropy(out, y, label_smoothing=0.15):.4f} acc {(out.argmax(1) == y).float().mean():.4f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--bs", type=int, default=48)
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--seed", type=int, default=0)
    main(ap.parse_args())
