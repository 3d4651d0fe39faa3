"""Character model of procedurally written inventory lines; samples a few lines after training."""
import random

import torch
import torch.nn.functional as F
from torch import nn

CTX, DIM, HEADS, LAYERS = 40, 48, 4, 2
STEPS, BATCH = 260, 24


def corpus(n=2500):
    r = random.Random(2)
    goods = ["bolts", "washers", "panels", "cables", "valves", "gears", "springs", "motors"]
    verbs = ["sold", "moved", "bought", "lost", "found"]
    towns = ["oslo", "lima", "cairo", "quito", "delhi", "paris"]
    return "".join(f"{r.choice(verbs)} {r.randint(1, 99)} {r.choice(goods)} in {r.choice(towns)}.\n" for _ in range(n))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(DIM, 3 * DIM)
        self.out = nn.Linear(DIM, DIM)
        blocked = torch.triu(torch.ones(CTX, CTX, dtype=torch.bool), diagonal=2)
        self.register_buffer("blocked", blocked, persistent=False)

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, HEADS, DIM // HEADS).permute(2, 0, 3, 1, 4)
        w = q @ k.transpose(-1, -2) / (DIM // HEADS) ** 0.5
        w = w.masked_fill(self.blocked[:T, :T], float("-inf")).softmax(-1)
        return self.out((w @ v).transpose(1, 2).reshape(B, T, DIM))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.att = Attention()
        self.ff = nn.Sequential(nn.Linear(DIM, 4 * DIM), nn.GELU(), nn.Linear(4 * DIM, DIM))

    def forward(self, x):
        x = x + self.att(self.n1(x))
        return x + self.ff(self.n2(x))


class CharLM(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.tok = nn.Embedding(vocab, DIM)
        self.pos = nn.Embedding(CTX, DIM)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(DIM)
        self.head = nn.Linear(DIM, vocab)

    def forward(self, ids):
        x = self.tok(ids) + self.pos(torch.arange(ids.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def batch(data):
    s = torch.randint(0, len(data) - CTX - 1, (BATCH,))
    return torch.stack([data[i:i + CTX] for i in s]), torch.stack([data[i + 1:i + CTX + 1] for i in s])


@torch.no_grad()
def sample(model, itos, stoi, n=100):
    ids = [stoi["\n"]]
    for _ in range(n):
        logits = model(torch.tensor([ids[-CTX:]]))[0, -1]
        ids.append(torch.multinomial(logits.softmax(-1), 1).item())
    return "".join(itos[i] for i in ids[1:])


torch.manual_seed(13)
text = corpus()
itos = sorted(set(text))
stoi = {c: i for i, c in enumerate(itos)}
data = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(data))
train, held = data[:cut], data[cut:]
lm = CharLM(len(itos))
opt = torch.optim.AdamW(lm.parameters(), lr=3e-3, betas=(0.9, 0.98))
for step in range(1, STEPS + 1):
    lm.train()
    x, y = batch(train)
    loss = F.cross_entropy(lm(x).flatten(0, 1), y.flatten())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
    opt.step()
    if step % 20 == 0:
        lm.eval()
        with torch.no_grad():
            x, y = batch(held)
            hl = F.cross_entropy(lm(x).flatten(0, 1), y.flatten())
        print(f"step {step} train {loss.item():.3f} held-out {hl.item():.3f}")
lm.eval()
print(sample(lm, itos, stoi))
