import argparse
import copy
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = Path(__file__).resolve().parent


@dataclass
class Cfg:
    epochs: int
    batch_size: int
    lr: float
    weight_decay: float
    width: int
    ema_decay: float
    seed: int


class Block(nn.Sequential):
    def __init__(self, i, o):
        super().__init__(
            nn.Conv1d(i, o, 5, padding=2), nn.GroupNorm(4, o), nn.SiLU(),
            nn.Conv1d(o, o, 5, padding=2), nn.GroupNorm(4, o), nn.SiLU(),
        )


class UNet1d(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.d1, self.d2, self.mid = Block(1, w), Block(w, 2 * w), Block(2 * w, 2 * w)
        self.u2, self.u1 = Block(4 * w, w), Block(2 * w, w)
        self.head = nn.Conv1d(w, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool1d(a, 2))
        c = self.mid(F.max_pool1d(b, 2))
        c = self.u2(torch.cat([F.interpolate(c, scale_factor=2), b], 1))
        c = self.u1(torch.cat([F.interpolate(c, scale_factor=2), a], 1))
        return self.head(c).squeeze(1)


class Averager:
    """Keeps a smoothed copy of the weights; that copy is what gets shipped."""

    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.model.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)


@torch.no_grad()
def dice_and_loss(model, x, m):
    z = model(x)
    pr = (z > 0).float()
    d = 2 * (pr * m).sum() / (pr.sum() + m.sum()).clamp_min(1)
    return d.item(), F.binary_cross_entropy_with_logits(z, m).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default=HERE / "pulse.toml")
    ap.add_argument("--seed", type=int)
    a = ap.parse_args()
    cfg = Cfg(**tomllib.loads(Path(a.config).read_text())["train"])
    if a.seed is not None:
        cfg.seed = a.seed
    torch.manual_seed(cfg.seed)

    z = np.load(HERE / "pulses.npz")
    mean, std = z["x_train"].astype("f4").mean(), z["x_train"].astype("f4").std()
    get = lambda k: torch.from_numpy((z[k].astype("f4") - mean) / std)[:, None]
    xt, xv = get("x_train"), get("x_val")
    mt, mv = (torch.from_numpy(z[k].astype("f4")) for k in ("m_train", "m_val"))

    net = UNet1d(cfg.width)
    avg = Averager(net, cfg.ema_decay)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    for ep in range(cfg.epochs):
        net.train()
        run = []
        for idx in torch.randperm(len(xt)).split(cfg.batch_size):
            loss = F.binary_cross_entropy_with_logits(net(xt[idx]), mt[idx])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            avg.update(net)
            run.append(loss.item())
        d, vl = dice_and_loss(avg.model, xv, mv)
        print(f"[{ep + 1:02d}/{cfg.epochs}] train_bce={np.mean(run):.4f} val_bce={vl:.4f} val_dice={d:.4f}")
    torch.save(avg.model.state_dict(), HERE / "pulse_ema.pt")


if __name__ == "__main__":
    main()
