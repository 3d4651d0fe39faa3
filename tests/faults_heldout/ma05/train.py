import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

ap = argparse.ArgumentParser()
ap.add_argument("--text", default="orders.txt")
ap.add_argument("--block", type=int, default=32)
ap.add_argument("--batch", type=int, default=32)
ap.add_argument("--dim", type=int, default=48)
ap.add_argument("--heads", type=int, default=4)
ap.add_argument("--layers", type=int, default=2)
ap.add_argument("--iters", type=int, default=600)
ap.add_argument("--lr", type=float, default=3e-3)
ap.add_argument("--eval-every", type=int, default=150)
opt = ap.parse_args()
torch.manual_seed(1234)

text = open(opt.text).read()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
encode = lambda s: torch.tensor([stoi[c] for c in s])
data = encode(text)
split = int(0.9 * len(data))
train_data, val_data = data[:split], data[split:]


def get_batch(source):
    ix = torch.randint(len(source) - opt.block - 1, (opt.batch,))
    x = torch.stack([source[i:i + opt.block] for i in ix])
    y = torch.stack([source[i + 1:i + opt.block + 1] for i in ix])
    return x, y


class Attention(nn.Module):
    def __init__(self, dim, heads, block):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.proj = nn.Linear(dim, dim, bias=False)
        self.register_buffer("mask", torch.triu(torch.ones(block, block)).bool())

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.heads, C // self.heads).transpose(1, 2) for t in self.qkv(x).split(C, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=self.mask[:T, :T])
        return self.proj(y.transpose(1, 2).reshape(B, T, C))


class Layer(nn.Module):
    def __init__(self, dim, heads, block):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = Attention(dim, heads, block)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class CharLM(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.tok = nn.Embedding(vocab, opt.dim)
        self.pos = nn.Embedding(opt.block, opt.dim)
        self.layers = nn.Sequential(*[Layer(opt.dim, opt.heads, opt.block) for _ in range(opt.layers)])
        self.norm = nn.LayerNorm(opt.dim)
        self.head = nn.Linear(opt.dim, vocab)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        return self.head(self.norm(self.layers(x)))

    @torch.no_grad()
    def complete(self, idx, n):
        for _ in range(n):
            logits = self(idx[:, -opt.block:])[:, -1]
            idx = torch.cat([idx, torch.multinomial(logits.softmax(-1), 1)], 1)
        return idx


model = CharLM(len(chars))
optim = torch.optim.AdamW(model.parameters(), lr=opt.lr, weight_decay=0.01)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, opt.iters)


@torch.no_grad()
def next_char(n=400):
    """bits per character and hit rate when the next character is really unknown"""
    model.eval()
    ix = torch.randint(len(val_data) - opt.block, (n,))
    ctx = torch.stack([val_data[i:i + opt.block - 1] for i in ix])
    nxt = val_data[ix + opt.block - 1]
    logits = model(ctx)[:, -1]
    model.train()
    return F.cross_entropy(logits, nxt).item() / math.log(2), (logits.argmax(-1) == nxt).float().mean().item()


for it in range(1, opt.iters + 1):
    x, y = get_batch(train_data)
    logits = model(x)
    loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
    optim.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optim.step()
    sched.step()
    if it % opt.eval_every == 0:
        bits, hit = next_char()
        print(f"iter {it}: train loss {loss.item():.3f}, next char {bits:.2f} bits, {hit:.1%} right")

model.eval()
print("".join(chars[i] for i in model.complete(encode("order ")[None], 120)[0].tolist()))
