import tomllib
import torch
from torch.nn import functional as F
from torch.optim.lr_scheduler import LambdaLR

from model import TinyGPT
from schedule import warmup_cosine

with open("conf.toml", "rb") as f:
    C = tomllib.load(f)
torch.manual_seed(1)
text = open(C["text"]).read()
chars = sorted(set(text))
ids = torch.tensor([chars.index(c) for c in text])
split = int(0.9 * len(ids))
train, held = ids[:split], ids[split:]


def batch(source, n):
    start = torch.randint(len(source) - C["context"] - 1, (n,))
    rows = start[:, None] + torch.arange(C["context"] + 1)
    chunk = source[rows]
    return chunk[:, :-1], chunk[:, 1:]


def bits(model):
    model.eval()
    with torch.no_grad():
        k = (len(held) - 1) // C["context"] * C["context"]
        x, y = held[:k].view(-1, C["context"]), held[1:k + 1].view(-1, C["context"])
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    model.train()
    return loss.item() / 0.6931


model = TinyGPT(len(chars), C["context"], C["width"], C["layers"], C["heads"])
optimizer = torch.optim.AdamW(model.parameters(), lr=C["peak_lr"], weight_decay=0.01)
scheduler = LambdaLR(optimizer, warmup_cosine(C["peak_lr"], C["final_lr"], C["warmup"], C["steps"]))
for step in range(C["steps"]):
    x, y = batch(train, C["batch"])
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    if (step + 1) % 42 == 0:
        print(f"step {step + 1} loss {loss.item():.3f} held-out bits per character {bits(model):.3f}")
