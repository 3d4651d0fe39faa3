import random

import torch
import torch.nn.functional as F

from model import NextChar

torch.manual_seed(5)
random.seed(5)
orders = open("orders.txt").read()
alphabet = sorted(set(orders))
code = torch.tensor([alphabet.index(c) for c in orders])
cut = int(0.9 * len(code))
train, held = code[:cut], code[cut:]
CTX = 32
model = NextChar(len(alphabet), CTX)
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 500)


@torch.no_grad()
def continuation_accuracy(n=600):
    """How often the character after a held-out passage is guessed."""
    model.eval()
    at = torch.linspace(0, len(held) - CTX - 1, n).long()
    x = torch.stack([held[s:s + CTX] for s in at])
    y = held[at + CTX]
    z = model(x)[:, -1]
    model.train()
    return (z.argmax(1) == y).float().mean().item(), F.cross_entropy(z, y).item()


for step in range(1, 501):
    at = torch.randint(0, len(train) - CTX - 1, (24,))
    w = torch.stack([train[s:s + CTX + 1] for s in at])
    loss = F.cross_entropy(model(w[:, :-1]).transpose(1, 2), w[:, 1:])
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 50 == 0:
        print("step %d loss %.3f, next character right %.3f (cross entropy %.3f)" % (step, loss.item(), *continuation_accuracy()))
