import math
import pathlib
import time

import torch
import torch.nn as nn

torch.manual_seed(1234)
CONTEXT = 12
STEPS = 1600
BATCH = 64
BASE_LR = 0.04
WARMUP = 100

text = (pathlib.Path(__file__).parent / "corpus.txt").read_text()
vocab = sorted(set(text))
stoi = {c: i for i, c in enumerate(vocab)}
ids = torch.tensor([stoi[c] for c in text])
cut = int(len(ids) * 0.9)
train_ids, valid_ids = ids[:cut], ids[cut:]


class NgramNet(nn.Module):
    def __init__(self, n_vocab, d=16, hidden=160):
        super().__init__()
        self.embed = nn.Embedding(n_vocab, d)
        self.hidden = nn.Linear(CONTEXT * d, hidden)
        self.mid = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, n_vocab)

    def forward(self, ctx):
        h = torch.tanh(self.hidden(self.embed(ctx).flatten(1)))
        h = h + torch.tanh(self.mid(h))
        return self.out(h)


def get_batch(source, n):
    start = torch.randint(0, len(source) - CONTEXT, (n,))
    ctx = torch.stack([source[s:s + CONTEXT] for s in start])
    return ctx, source[start + CONTEXT]


def optimizer_for(model, step):
    """SGD at the learning rate of this step: linear warm-up, then cosine to 5 %."""
    if step < WARMUP:
        scale = (step + 1) / WARMUP
    else:
        done = (step - WARMUP) / (STEPS - WARMUP)
        scale = 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * done))
    return torch.optim.SGD(model.parameters(), lr=BASE_LR * scale, momentum=0.95)


@torch.no_grad()
def valid_loss(model, batches=8):
    model.eval()
    g = torch.random.get_rng_state()
    torch.manual_seed(0)
    losses = [nn.functional.cross_entropy(model(c), t).item()
              for c, t in (get_batch(valid_ids, 512) for _ in range(batches))]
    torch.random.set_rng_state(g)
    model.train()
    return sum(losses) / len(losses)


model = NgramNet(len(vocab))
print(f"{len(text)} characters, {len(vocab)} symbols, {sum(p.numel() for p in model.parameters())} weights")
t0 = time.time()
smooth = None
for step in range(STEPS):
    optimizer = optimizer_for(model, step)
    ctx, target = get_batch(train_ids, BATCH)
    loss = nn.functional.cross_entropy(model(ctx), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
    if (step + 1) % 200 == 0:
        lr = optimizer.param_groups[0]["lr"]
        print(f"{step + 1:5d}  lr {lr:.4f}  train {smooth:.3f}  valid {valid_loss(model):.3f}  {time.time() - t0:.1f}s")

ctx = train_ids[:CONTEXT].tolist()
for _ in range(120):
    with torch.no_grad():
        p = torch.softmax(model(torch.tensor([ctx[-CONTEXT:]]))[0] / 0.7, 0)
    ctx.append(torch.multinomial(p, 1).item())
print("".join(vocab[i] for i in ctx))
