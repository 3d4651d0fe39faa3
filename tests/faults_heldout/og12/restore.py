"""Denoising of seismic shot-gather patches with a small residual CNN."""
import torch
from torch import nn

from gathers import GatherPatches
from probes import LayerProbe


def conv(i, o):
    return nn.Conv2d(i, o, 3, padding=1, padding_mode="replicate")


class Restorer(nn.Module):
    def __init__(self, ch=16):
        super().__init__()
        self.enc = nn.Sequential(conv(1, ch), nn.LeakyReLU(0.1), conv(ch, ch), nn.LeakyReLU(0.1))
        self.mid = nn.Sequential(conv(ch, ch), nn.LeakyReLU(0.1))
        self.dec = conv(ch, 1)

    def forward(self, x):
        h = self.enc(x)
        return x - self.dec(h + self.mid(h))


def psnr(clean, est):
    mse = (clean - est).square().mean()
    return (10 * torch.log10(clean.square().amax() / mse)).item()


def train(steps=200, batch=16):
    torch.manual_seed(40)
    source = GatherPatches(seed=8)
    clean_v, noisy_v = GatherPatches(seed=9).sample(24)
    net = Restorer()
    probe = LayerProbe(net, ["enc", "mid"])
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    for step in range(1, steps + 1):
        clean, noisy = source.sample(batch)
        loss = nn.functional.l1_loss(net(noisy), clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 40 == 0:
            print(f"{step:4d} l1 {loss.item():.4f} active {probe.active_share()}")
            net.eval()
            with torch.no_grad():
                print(f"     psnr in {psnr(clean_v, noisy_v):.2f} dB -> out {psnr(clean_v, net(noisy_v)):.2f} dB")
            net.train()
    probe.remove()


if __name__ == "__main__":
    train()
