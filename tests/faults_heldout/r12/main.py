"""GAN on a 2-D banana distribution; progress is judged by a sliced Wasserstein distance."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(9)
STEPS, B, Z = 1400, 128, 4


def real(n):
    a = torch.randn(n) * 0.9
    b = 0.6 * a ** 2 - 0.6 + 0.25 * torch.randn(n)
    return torch.stack([a, b], 1)


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


@torch.no_grad()
def sliced_w(x, y, k=64):
    th = F.normalize(torch.randn(2, k), dim=0)
    return ((x @ th).sort(0)[0] - (y @ th).sort(0)[0]).abs().mean().item()


G, D = mlp(Z, 2), mlp(2, 1)
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.9))
decay = [torch.optim.lr_scheduler.LambdaLR(o, lambda s: 1 - 0.95 * s / STEPS) for o in (opt_g, opt_d)]
held_out = real(2000)

for step in range(STEPS + 1):
    x = real(B)
    fake = G(torch.randn(B, Z))
    d_loss = F.softplus(-D(x)).mean() + F.softplus(D(fake.detach())).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    g_loss = F.softplus(-D(G(torch.randn(B, Z)))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    for d in decay:
        d.step()

    if step % 200 == 0:
        with torch.no_grad():
            s = G(torch.randn(2000, Z))
        print(f"{step:5d}  D {d_loss.item():.3f}  G {g_loss.item():.3f}  SWD {sliced_w(s, held_out):.3f} "
              f"(real vs real {sliced_w(real(2000), held_out):.3f})")
