"""Bracket checker: a small Transformer encoder decides whether a string of brackets is balanced."""
import math
import random

import torch
from torch import nn
from torch.utils.data import DataLoader

PAD, CLS = 0, 1
TOKENS = {c: i + 2 for i, c in enumerate("()[]ab")}
PAIRS = {"(": ")", "[": "]"}
MAX_LEN = 14


def balanced(rng, budget):
    out = []
    while budget > 0:
        r = rng.random()
        if budget >= 2 and r < 0.7:
            inner = rng.randint(0, (budget - 2))
            o = rng.choice("([")
            out += [o] + balanced(rng, inner) + [PAIRS[o]]
            budget -= inner + 2
        else:
            out.append(rng.choice("ab"))
            budget -= 1
    return out


def corrupt(rng, s):
    """Replace one bracket by another one, which always breaks the pairing."""
    s = list(s)
    places = [i for i, c in enumerate(s) if c in "()[]"]
    i = rng.choice(places)
    s[i] = rng.choice([c for c in "()[]" if c != s[i]])
    return s


def make_set(n, seed, exclude=()):
    rng, seen, out = random.Random(seed), set(exclude), []
    while len(out) < n:
        s = balanced(rng, rng.randint(4, MAX_LEN - 2))
        if not any(c in "()[]" for c in s):
            continue
        label = len(out) % 2
        s = "".join(s if label else corrupt(rng, s))
        if s not in seen:
            seen.add(s)
            out.append((s, label))
    return out


def collate(batch):
    ids = torch.full((len(batch), 1 + max(len(s) for s, _ in batch)), PAD)
    ids[:, 0] = CLS
    for k, (s, _) in enumerate(batch):
        ids[k, 1:1 + len(s)] = torch.tensor([TOKENS[c] for c in s])
    return ids, torch.tensor([y for _, y in batch])


class Checker(nn.Module):
    def __init__(self, dim=32, heads=4, layers=2):
        super().__init__()
        self.tok = nn.Embedding(len(TOKENS) + 2, dim, padding_idx=PAD)
        self.pos = nn.Parameter(torch.randn(MAX_LEN + 1, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.0, activation="gelu", batch_first=True,
                                           norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(dim), enable_nested_tensor=False)
        self.out = nn.Linear(dim, 2)

    def forward(self, ids):
        h = self.tok(ids) + self.pos[:ids.shape[1]]
        h = self.enc(h, src_key_padding_mask=ids == PAD)
        return self.out(h[:, 0])


def evaluate(model, loader):
    model.eval()
    right = n = 0
    with torch.no_grad():
        for ids, y in loader:
            right += (model(ids).argmax(1) == y).sum().item()
            n += len(y)
    return right / n


def main():
    torch.manual_seed(6)
    train = make_set(2304, 1)
    test = make_set(600, 2, exclude={s for s, _ in train})
    micro, accumulate, epochs = 32, 2, 6
    loader = DataLoader(train, batch_size=micro, shuffle=True, collate_fn=collate)
    test_loader = DataLoader(test, batch_size=200, collate_fn=collate)
    model = Checker()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    total = epochs * (len(loader) // accumulate)
    warm = total // 10

    def factor(step):
        if step < warm:
            return (step + 1) / warm
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        opt.zero_grad()
        total_loss = 0.0
        for k, (ids, y) in enumerate(loader, start=1):
            loss = loss_fn(model(ids), y)
            (loss / accumulate).backward()
            total_loss += loss.item()
            if k % accumulate == 0:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                opt.zero_grad()
                sched.step()
        print(f"epoch {epoch + 1:2d} loss {total_loss / len(loader):.4f} test acc {evaluate(model, test_loader):.3f} "
              f"lr {sched.get_last_lr()[0]:.2e}", flush=True)


if __name__ == "__main__":
    main()
