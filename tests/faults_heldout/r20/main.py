import numpy as np
import torch
import torch.nn.functional as F

from ae.meters import History
from ae.model import ConvAE


def sprites(n, seed):
    """Random boxes and discs on a 24x24 canvas."""
    g = np.random.default_rng(seed)
    yy, xx = np.mgrid[:24, :24]
    out = np.zeros((n, 1, 24, 24), np.float32)
    for i in range(n):
        cy, cx, r = g.uniform(7, 16), g.uniform(7, 16), g.uniform(3, 6)
        if i % 2:
            out[i, 0] = (abs(yy - cy) < r) & (abs(xx - cx) < r)
        else:
            out[i, 0] = (yy - cy) ** 2 + (xx - cx) ** 2 < r * r
    return torch.from_numpy(out)


def main():
    torch.manual_seed(0)
    train, val = sprites(1500, 0), sprites(300, 1)
    model = ConvAE()
    opt = torch.optim.Adam(model.parameters(), lr=6e-3)
    hist = History()
    per_epoch = -(-len(train) // 64)
    for epoch in range(8):
        model.train()
        for idx in torch.randperm(len(train)).split(64):
            x = train[idx]
            rec, z = model(x + 0.2 * torch.randn_like(x))
            bce = F.binary_cross_entropy_with_logits(rec, x)
            reg = 1e-4 * z.pow(2).mean()
            loss = bce + reg
            opt.zero_grad()
            loss.backward()
            opt.step()
            clean, _ = model(x)
            hist.add(loss=loss, clean=F.l1_loss(clean.sigmoid(), x))
        model.eval()
        with torch.no_grad():
            v = F.binary_cross_entropy_with_logits(model(val + 0.2 * torch.randn_like(val))[0], val).item()
        print(f"epoch {epoch} train {hist.mean('loss', per_epoch):.4f} clean l1 {hist.mean('clean', per_epoch):.4f} "
              f"val {v:.4f}")


if __name__ == "__main__":
    main()
