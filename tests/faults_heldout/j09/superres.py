"""Coefficient-to-field decoder for small temperature anomalies (kelvin), trained under fp16 autocast."""
import math
import time

import torch
from torch import nn

SIDE = 32
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def make_fields(n, gen):
    """Random low-frequency fields, amplitude about two millikelvin, with 16 sensors."""
    xs = torch.linspace(0, 1, SIDE)
    kx = torch.arange(1, 4)
    basis = torch.stack([
        torch.outer((math.pi * a * xs).sin(), (math.pi * b * xs).sin()) for a in kx for b in kx
    ])
    coef = 0.002 * torch.randn(n, 9, generator=gen) / torch.tensor([a * b for a in kx for b in kx]).sqrt()
    field = torch.einsum("nk,kxy->nxy", coef, basis)
    field = field + 50.0 * field * field
    sensors = field[:, 4::8, 4::8].flatten(1) / 0.002
    return sensors, field


class Decoder(nn.Module):
    def __init__(self, d_in=16, width=256):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(d_in, width), nn.GELU(),
            nn.Linear(width, width), nn.GELU(),
            nn.Linear(width, width), nn.GELU(),
        )
        self.head = nn.Linear(width, SIDE * SIDE)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, s):
        return self.head(self.trunk(s)).view(-1, SIDE, SIDE)


def relative_error(model, s, f):
    model.eval()
    with torch.no_grad():
        e = (model(s) - f).pow(2).sum() / f.pow(2).sum()
    model.train()
    return e.sqrt().item()


def main(epochs=6, bs=64):
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(2)
    s, f = make_fields(2560, gen)
    s_tr, f_tr, s_va, f_va = (t.to(DEVICE) for t in (s[:2048], f[:2048], s[2048:], f[2048:]))
    model = Decoder().to(DEVICE)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    start = time.perf_counter()
    for epoch in range(epochs):
        total = 0.0
        for idx in torch.randperm(len(s_tr), generator=gen).split(bs):
            with torch.autocast(DEVICE, dtype=torch.float16):
                pred = model(s_tr[idx])
                loss = nn.functional.mse_loss(pred.float(), f_tr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        print(f"[{time.perf_counter() - start:6.1f}s] epoch {epoch}  mse {total / len(s_tr):.3e}  "
              f"val rel.err {relative_error(model, s_va, f_va):.4f}")


if __name__ == "__main__":
    main()
