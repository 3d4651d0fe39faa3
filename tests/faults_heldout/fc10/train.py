"""Associative recall: a list of key/value tokens followed by one query key; predict its value."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

N_KEYS, N_VALUES, N_PAIRS = 16, 8, 9
D_MODEL, N_HEADS, N_LAYERS = 48, 4, 1
BATCH, STEPS = 96, 900


def make_batch(n, generator):
    keys = torch.rand(n, N_KEYS, generator=generator).argsort(dim=1)[:, :N_PAIRS]
    values = torch.randint(0, N_VALUES, (n, N_PAIRS), generator=generator)
    pick = torch.randint(0, N_PAIRS, (n,), generator=generator)
    rows = torch.arange(n)
    key_seq = torch.cat([keys, keys[rows, pick].unsqueeze(1)], dim=1)
    val_seq = torch.cat([values, torch.full((n, 1), N_VALUES)], dim=1)
    return key_seq, val_seq, values[rows, pick]


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.dh = heads, dim // heads
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)
        self.proj = nn.Linear(dim, dim)

    def split(self, x):
        b, t, _ = x.shape
        return x.reshape(b, self.heads, t, self.dh)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        w = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.dh), dim=-1)
        y = (w @ v).transpose(1, 2).reshape(b, t, d)
        return self.proj(y)


class Layer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SelfAttention(dim, heads)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.ff(self.n2(x))


class RecallModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.key_emb = nn.Embedding(N_KEYS, D_MODEL)
        self.val_emb = nn.Embedding(N_VALUES + 1, D_MODEL)
        self.layers = nn.Sequential(*[Layer(D_MODEL, N_HEADS) for _ in range(N_LAYERS)])
        self.norm = nn.LayerNorm(D_MODEL)
        self.head = nn.Linear(D_MODEL, N_VALUES)

    def forward(self, key_seq, val_seq):
        x = self.key_emb(key_seq) + self.val_emb(val_seq)
        return self.head(self.norm(self.layers(x)[:, -1]))


torch.manual_seed(77)
gen = torch.Generator().manual_seed(770)
eval_gen = torch.Generator().manual_seed(771)
test_set = make_batch(1500, eval_gen)

model = RecallModel()
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.98), weight_decay=0.01)
warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 50))
running = 0.0
for step in range(1, STEPS + 1):
    k, v, target = make_batch(BATCH, gen)
    loss = F.cross_entropy(model(k, v), target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    warm.step()
    running += loss.item()
    if step % 100 == 0:
        model.eval()
        with torch.no_grad():
            acc = (model(test_set[0], test_set[1]).argmax(-1) == test_set[2]).float().mean().item()
        model.train()
        print(f"step {step}: loss {running / 100:.4f}, recall accuracy {acc:.3f} (chance {1 / N_VALUES:.3f})")
        running = 0.0
