"""A small causal language model on village stories, input and output embedding shared."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Layer(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
        self.heads = heads

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (m.view(b, t, self.heads, d // self.heads).transpose(1, 2) for m in self.qkv(self.n1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, d))
        return x + self.ff(self.n2(x))


class StoryLM(nn.Module):
    def __init__(self, vocab, d=64, depth=2, heads=4, context=64):
        super().__init__()
        self.context = context
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(context, d)
        self.layers = nn.ModuleList(Layer(d, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab, bias=False)
        self.head.weight = self.tok.weight
        for m in self.modules():
            if isinstance(m, (nn.Linear, nn.Embedding)):
                nn.init.normal_(m.weight, std=0.05)
                if getattr(m, "bias", None) is not None:
                    nn.init.zeros_(m.bias)

    def forward(self, ids):
        x = self.tok(ids) + self.pos(torch.arange(ids.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def groups(model, wd):
    decay, plain = [], []
    for p in model.parameters():
        (decay if p.ndim >= 2 else plain).append(p)
    return [{"params": decay, "weight_decay": wd}, {"params": plain, "weight_decay": 0.0}]


def batch(ids, size, t, gen):
    at = torch.randint(0, len(ids) - t - 1, (size,), generator=gen)
    rows = torch.stack([ids[a:a + t + 1] for a in at])
    return rows[:, :-1], rows[:, 1:]


@torch.no_grad()
def validate(model, ids, t):
    model.eval()
    n = (len(ids) - 1) // t
    x, y = ids[:n * t].view(n, t), ids[1:n * t + 1].view(n, t)
    return F.cross_entropy(model(x).flatten(0, 1), y.flatten()).item()


@torch.no_grad()
def sample(model, stoi, itos, start, n, gen):
    model.eval()
    ids = torch.tensor([[stoi[c] for c in start]])
    for _ in range(n):
        p = model(ids[:, -model.context:])[:, -1].softmax(-1)
        ids = torch.cat([ids, torch.multinomial(p, 1, generator=gen)], 1)
    return "".join(itos[i] for i in ids[0].tolist())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--text", default="stories.txt")
    ap.add_argument("--steps", type=int, default=700)
    ap.add_argument("--warmup", type=int, default=60)
    ap.add_argument("--peak", type=float, default=3e-3)
    ap.add_argument("--batch", type=int, default=24)
    a = ap.parse_args()
    torch.manual_seed(99)
    gen = torch.Generator().manual_seed(99)
    text = open(a.text).read()
    itos = sorted(set(text))
    stoi = {c: i for i, c in enumerate(itos)}
    ids = torch.tensor([stoi[c] for c in text])
    cut = int(.92 * len(ids))
    train, val = ids[:cut], ids[cut:]
    model = StoryLM(len(itos))
    opt = torch.optim.AdamW(groups(model, 0.05), lr=a.peak, betas=(0.9, 0.98))

    def factor(s):
        if s < a.warmup:
            return (s + 1) / a.warmup
        return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (s - a.warmup) / (a.steps - a.warmup)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    mean = []
    for step in range(1, a.steps + 1):
        model.train()
        x, y = batch(train, a.batch, model.context, gen)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        mean.append(loss.item())
        if step % 100 == 0:
            print(f"step {step:4d}  train {sum(mean) / len(mean):.4f}  val {validate(model, val, model.context):.4f}")
            mean = []
    print(sample(model, stoi, itos, "the ", 160, gen))


if __name__ == "__main__":
    main()
