# %% [markdown]
# Pairing sperm whale codas heard on two hydrophones (H1 near, H2 far)

# %%
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 11
torch.manual_seed(SEED)

N_TRAIN, N_TEST = 3000, 400
PAIRS_PER_STEP = 6
EPOCHS = 5

# %%
def codas(n, g):
    """Eight inter-click intervals and the level of every click, seen by both instruments."""
    ici = 0.2 + 0.08 * torch.randn(n, 8, generator=g)
    level = torch.randn(n, 8, generator=g)
    mix1 = torch.randn(16, 40, generator=g) / 4
    mix2 = torch.randn(16, 40, generator=g) / 4
    z = torch.cat([(ici - 0.2) / 0.08, level], 1)
    near = z @ mix1 + 0.3 * torch.randn(n, 40, generator=g)
    far = torch.tanh(z @ mix2) + 0.3 * torch.randn(n, 40, generator=g)
    return near, far


gen = torch.Generator().manual_seed(2024)
A, B = codas(N_TRAIN + N_TEST, gen)
A_tr, B_tr = A[:N_TRAIN], B[:N_TRAIN]
A_te, B_te = A[N_TRAIN:], B[N_TRAIN:]

# %%
def tower():
    return nn.Sequential(nn.Linear(40, 96), nn.GELU(), nn.Linear(96, 24))


h1, h2 = tower(), tower()
log_scale = nn.Parameter(torch.tensor(math.log(8.0)))
params = [*h1.parameters(), *h2.parameters(), log_scale]
opt = torch.optim.AdamW(params, lr=1.5e-3, weight_decay=1e-3)
total = EPOCHS * math.ceil(N_TRAIN / PAIRS_PER_STEP)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1.5e-3, total_steps=total, pct_start=0.1)


def embed(net, x):
    return F.normalize(net(x), dim=-1)


@torch.no_grad()
def recall(a, b, k=(1, 5)):
    sim = embed(h1, a) @ embed(h2, b).T
    gold = sim.diag().unsqueeze(1)
    rank = (sim > gold).sum(1)
    return [(rank < j).float().mean().item() for j in k]


# %%
for epoch in range(EPOCHS):
    running = 0.0
    chunks = torch.randperm(N_TRAIN).split(PAIRS_PER_STEP)
    for idx in chunks:
        logits = log_scale.exp() * embed(h1, A_tr[idx]) @ embed(h2, B_tr[idx]).T
        y = torch.arange(len(idx))
        loss = 0.5 * (F.cross_entropy(logits, y) + F.cross_entropy(logits.T, y))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        running += loss.item()
    r1, r5 = recall(A_te, B_te)
    print(f"epoch {epoch:2d}  nce {running / len(chunks):.4f}  R@1/400 {r1:.3f}  R@5/400 {r5:.3f}")

# %%
print("R@1 among 400 training pairs", round(recall(A_tr[:400], B_tr[:400])[0], 3))
print("scale", round(log_scale.exp().item(), 2))
