"""Character model of the harbour logbook."""
import argparse
import math

import torch
from torch import nn
import torch.nn.functional as F

ap = argparse.ArgumentParser()
ap.add_argument("--file", default="logbook.txt")
ap.add_argument("--ctx", type=int, default=32)
ap.add_argument("--dim", type=int, default=48)
ap.add_argument("--layers", type=int, default=2)
ap.add_argument("--heads", type=int, default=4)
ap.add_argument("--batch", type=int, default=32)
ap.add_argument("--steps", type=int, default=350)
ap.add_argument("--lr", type=float, default=4e-3)
ap.add_argument("--seed", type=int, default=3)
args = ap.parse_args()

torch.manual_seed(args.seed)
text = open(args.file).read()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(ids))
train_ids, val_ids = ids[:cut], ids[cut:]


def sample_windows(source, n):
    at = torch.randint(0, len(source) - args.ctx - 1, (n,))
    w = torch.stack([source[a:a + args.ctx + 1] for a in at])
    return w[:, :-1], w[:, 1:]


class CharModel(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.tok = nn.Embedding(vocab, args.dim)
        self.pos = nn.Embedding(args.ctx, args.dim)
        layer = nn.TransformerEncoderLayer(args.dim, args.heads, 4 * args.dim, dropout=0.0,
                                           batch_first=True, norm_first=True, activation="gelu")
        self.blocks = nn.TransformerEncoder(layer, args.layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(args.dim)
        self.out = nn.Linear(args.dim, vocab)
        hide = torch.triu(torch.ones(args.ctx, args.ctx, dtype=torch.bool), diagonal=2)
        self.register_buffer("hide", hide)

    def forward(self, x):
        t = x.shape[1]
        h = self.tok(x) + self.pos(torch.arange(t))
        h = self.blocks(h, mask=self.hide[:t, :t])
        return self.out(self.norm(h))


model = CharModel(len(chars))
opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
warm = 40


def factor(s):
    if s < warm:
        return (s + 1) / warm
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (s - warm) / (args.steps - warm)))


sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)


@torch.no_grad()
def validate():
    model.eval()
    losses = []
    for start in range(0, len(val_ids) - args.ctx - 1, args.ctx):
        x = val_ids[start:start + args.ctx][None]
        y = val_ids[start + 1:start + args.ctx + 1][None]
        losses.append(F.cross_entropy(model(x).flatten(0, 1), y.flatten()).item())
    model.train()
    return sum(losses) / len(losses)


@torch.no_grad()
def write(prompt, n):
    model.eval()
    seq = [stoi[c] for c in prompt]
    for _ in range(n):
        logits = model(torch.tensor(seq[-args.ctx:])[None])[0, -1]
        seq.append(torch.multinomial(F.softmax(logits / 0.7, -1), 1).item())
    return "".join(chars[i] for i in seq)


for step in range(1, args.steps + 1):
    x, y = sample_windows(train_ids, args.batch)
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 50 == 0:
        print(f"step {step:4d}  train {loss.item():.3f}  val {validate():.3f}")

print(write("Friday, fog. Runa", 160))
