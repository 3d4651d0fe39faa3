"""Next-page prediction on shop journeys with a small causal transformer."""
import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

PAD = 0
SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 2
STEPS, WARMUP, BATCH, PEAK = 800, 60, 64, 3e-3


def load(path):
    with open(path) as f:
        journeys = [line.split() for line in f if line.strip()]
    pages = sorted({p for j in journeys for p in j})
    index = {p: i + 1 for i, p in enumerate(pages)}
    width = max(map(len, journeys))
    data = torch.full((len(journeys), width), PAD)
    for row, j in zip(data, journeys):
        row[: len(j)] = torch.tensor([index[p] for p in j])
    return data, pages


class Block(nn.Module):
    def __init__(self, dim, heads, drop):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.drop(self.proj(a.transpose(1, 2).reshape(b, t, d)))
        return x + self.drop(self.mlp(self.n2(x)))


class JourneyModel(nn.Module):
    def __init__(self, n_tokens, width, dim=32, heads=2, layers=2, drop=0.1):
        super().__init__()
        self.tok = nn.Embedding(n_tokens, dim)
        self.pos = nn.Parameter(torch.randn(width, dim) * 0.02)
        nn.init.normal_(self.tok.weight, std=0.1)
        self.blocks = nn.Sequential(*[Block(dim, heads, drop) for _ in range(layers)])
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, n_tokens)

    def forward(self, ids):
        # journeys are padded on the right, so the causal mask keeps padding out of sight
        return self.out(self.norm(self.blocks(self.tok(ids) + self.pos[: ids.shape[1]])))


def token_loss(model, ids):
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), ignore_index=PAD)


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    total, right, count = 0.0, 0, 0
    for ids in data.split(128):
        logits, target = model(ids[:, :-1]), ids[:, 1:]
        keep = target != PAD
        total += F.cross_entropy(logits[keep], target[keep], reduction="sum").item()
        right += (logits.argmax(-1) == target)[keep].sum().item()
        count += keep.sum().item()
    return total / count, right / count


def lr_factor(step):
    if step < WARMUP:
        return (step + 1) / WARMUP
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (step - WARMUP) / (STEPS - WARMUP)))


def batches(data, size):
    while True:
        for idx in torch.randperm(len(data)).split(size):
            if len(idx) == size:
                yield data[idx]


def main():
    torch.manual_seed(SEED)
    data, pages = load("journeys.txt")
    data = data[torch.randperm(len(data))]
    test, val, train = data[:200], data[200:400], data[400:]
    model = JourneyModel(len(pages) + 1, data.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=PEAK, betas=(0.9, 0.98), weight_decay=0.05)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_factor)
    stream = batches(train, BATCH)
    best, state = float("inf"), None
    running = 0.0
    for step in range(1, STEPS + 1):
        model.train()
        loss = token_loss(model, next(stream))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        running += loss.item()
        if step % 50 == 0:
            v, acc = evaluate(model, val)
            print(f"step {step}  train {running / 50:.4f}  val {v:.4f}  acc {acc:.3f}")
            running = 0.0
            if v < best:
                best, state = v, {k: t.clone() for k, t in model.state_dict().items()}
    model.load_state_dict(state)
    t, acc = evaluate(model, test)
    print(f"test loss {t:.4f}, perplexity {math.exp(t):.2f}, accuracy {acc:.3f} (train {evaluate(model, train)[0]:.4f})")


if __name__ == "__main__":
    main()
