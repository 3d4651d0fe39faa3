"""Class-conditional DDPM on 8x8 digits. Sample quality is judged by a classifier trained on real digits."""
import copy
import math

import torch
from sklearn.datasets import load_digits
from sklearn.svm import SVC
from torch import nn
import torch.nn.functional as F

torch.manual_seed(42)
T, CLASSES, DROP_LABEL = 100, 10, 0.1


def cosine_alpha_bar(T, s=0.008):
    t = torch.arange(T + 1) / T
    f = torch.cos((t + s) / (1 + s) * math.pi / 2) ** 2
    return (f / f[0]).clamp(min=1e-4)


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freq", torch.exp(-math.log(1000.0) * torch.arange(dim // 2) / (dim // 2)))
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, dim))

    def forward(self, t):
        a = t[:, None].float() * self.freq
        return self.mlp(torch.cat([a.sin(), a.cos()], 1))


class Block(nn.Module):
    def __init__(self, dim, cond):
        super().__init__()
        self.norm = nn.LayerNorm(dim, elementwise_affine=False)
        self.mod = nn.Linear(cond, 2 * dim)
        self.fc1, self.fc2 = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)
        nn.init.zeros_(self.fc2.weight)
        nn.init.zeros_(self.fc2.bias)

    def forward(self, h, c):
        scale, shift = self.mod(F.silu(c)).chunk(2, 1)
        z = self.norm(h) * (1 + scale) + shift
        return h + self.fc2(F.silu(self.fc1(z)))


class Denoiser(nn.Module):
    def __init__(self, dim=160, cond=64, depth=3):
        super().__init__()
        self.time = TimeEmbedding(cond)
        self.label = nn.Embedding(CLASSES + 1, cond)
        self.inp = nn.Linear(64, dim)
        self.blocks = nn.ModuleList(Block(dim, cond) for _ in range(depth))
        self.out = nn.Linear(dim, 64)

    def forward(self, x, t, y):
        c = self.time(t) + self.label(y)
        h = self.inp(x)
        for b in self.blocks:
            h = b(h, c)
        return self.out(h)


abar = cosine_alpha_bar(T)


def diffusion_loss(model, x0, y, gen=None):
    t = torch.randint(1, T + 1, (len(x0),), generator=gen)
    a = abar[t][:, None]
    noise = torch.randn(x0.shape, generator=gen)
    y = torch.where(torch.rand(len(y), generator=gen) < DROP_LABEL, torch.full_like(y, CLASSES), y)
    return F.mse_loss(model(a.sqrt() * x0 + (1 - a).sqrt() * noise, t, y), noise)


@torch.no_grad()
def sample(model, y, guidance=1.0):
    model.eval()
    x = torch.randn(len(y), 64)
    none = torch.full_like(y, CLASSES)
    for i in range(T, 0, -1):
        t = torch.full((len(y),), i)
        e = (1 + guidance) * model(x, t, y) - guidance * model(x, t, none)
        a, ap = abar[i], abar[i - 1]
        x0 = ((x - (1 - a).sqrt() * e) / a.sqrt()).clamp(-1, 1)
        beta = 1 - a / ap
        mean = (ap.sqrt() * beta * x0 + (a / ap).sqrt() * (1 - ap) * x) / (1 - a)
        x = mean + (beta * (1 - ap) / (1 - a)).sqrt() * torch.randn_like(x) if i > 1 else mean
    return x


digits = load_digits()
X = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
Y = torch.tensor(digits.target)
order = torch.randperm(len(X))
Xtr, Ytr, Xva, Yva = X[order[:1500]], Y[order[:1500]], X[order[1500:]], Y[order[1500:]]

model = Denoiser()
ema = copy.deepcopy(model).requires_grad_(False)
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
EPOCHS, BATCH = 80, 128
steps = EPOCHS * (len(Xtr) // BATCH)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 2e-3, total_steps=steps, pct_start=0.1)

for epoch in range(EPOCHS):
    model.train()
    perm, tot = torch.randperm(len(Xtr)), 0.0
    for b in range(len(Xtr) // BATCH):
        idx = perm[b * BATCH:(b + 1) * BATCH]
        loss = diffusion_loss(model, Xtr[idx], Ytr[idx])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        with torch.no_grad():
            for pe, p in zip(ema.parameters(), model.parameters()):
                pe.lerp_(p, 0.02)
        tot += loss.item()
    if (epoch + 1) % 8 == 0:
        ema.eval()
        gen = torch.Generator().manual_seed(0)
        with torch.no_grad():
            val = sum(diffusion_loss(ema, Xva, Yva, gen).item() for _ in range(20)) / 20
        print(f"epoch {epoch + 1:3d} | train {tot / (b + 1):.4f} | val (ema) {val:.4f}")

judge = SVC(gamma="scale").fit(Xtr.numpy(), Ytr.numpy())
want = torch.arange(10).repeat_interleave(30)
fake = sample(ema, want)
print(f"judge on real held-out digits {judge.score(Xva.numpy(), Yva.numpy()):.3f}, "
      f"judge on samples {judge.score(fake.numpy(), want.numpy()):.3f}")
d_fake = torch.cdist(fake, Xtr).min(1)[0]
d_real = torch.cdist(Xva, Xtr).min(1)[0]
print(f"distance to nearest training digit: samples {d_fake.mean():.2f}, held-out {d_real.mean():.2f}, "
      f"noise {torch.cdist(torch.randn(300, 64).clamp(-1, 1), Xtr).min(1)[0].mean():.2f}")
