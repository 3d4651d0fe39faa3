"""Character model of technical notes: small causal transformer, tied output weights."""
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

CTX, DIM, HEADS, LAYERS, BATCH, STEPS = 40, 48, 4, 2, 20, 1500
torch.manual_seed(30)
text = open("notes.txt").read()
chars = sorted(set(text))
ids = torch.tensor([chars.index(c) for c in text])
cut = int(0.9 * len(ids))
train, held = ids[:cut], ids[cut:]


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.qkv, self.proj = nn.Linear(DIM, 3 * DIM), nn.Linear(DIM, DIM)
        self.mlp = nn.Sequential(nn.Linear(DIM, 3 * DIM), nn.GELU(), nn.Linear(3 * DIM, DIM))

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, HEADS, DIM // HEADS).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(b, t, DIM))
        return x + self.mlp(self.n2(x))


class CharLM(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.tok, self.pos = nn.Embedding(n, DIM), nn.Embedding(CTX, DIM)
        nn.init.normal_(self.tok.weight, std=0.1)
        nn.init.normal_(self.pos.weight, std=0.1)
        self.layers, self.norm = nn.ModuleList(Layer() for _ in range(LAYERS)), nn.LayerNorm(DIM)

    def forward(self, i):
        h = self.tok(i) + self.pos.weight[: i.shape[1]]
        for layer in self.layers:
            h = layer(h)
        return self.norm(h) @ self.tok.weight.T


def draw(source, n):
    at = torch.randint(0, len(source) - CTX - 1, (n,))
    w = torch.stack([source[s:s + CTX + 1] for s in at])
    return w[:, :-1], w[:, 1:]


def ce(model, x, y):
    return F.cross_entropy(model(x).flatten(0, 1), y.flatten())


@torch.no_grad()
def bits(model, source):
    model.eval()
    n = (len(source) - 1) // CTX
    n = min(n, 200)
    v = ce(model, source[: n * CTX].view(n, CTX), source[1: n * CTX + 1].view(n, CTX)).item()
    model.train()
    return v / math.log(2)


model = CharLM(len(chars))
opt = torch.optim.AdamW(model.parameters(), lr=4e-3, betas=(0.9, 0.98), weight_decay=0.05)
# a short warm-up, then a gentle decay to 60 %
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) / 50, 1 - 0.4 * s / STEPS))
start = time.time()
for step in range(1, STEPS + 1):
    loss = ce(model, *draw(train, BATCH))
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 150 == 0:
        print(f"{step:4d} loss {loss.item():.3f} bits per char train {bits(model, train):.3f} held {bits(model, held):.3f} ({time.time() - start:.0f} s)")
