import configparser
import math

import torch
import torch.nn.functional as F

from lm import Lanes, LogModel, carry

cfg = configparser.ConfigParser()
cfg.read("config.ini")
torch.manual_seed(cfg.getint("train", "seed"))

text = open(cfg["data"]["path"]).read()
alphabet = sorted(set(text))
index = {c: i for i, c in enumerate(alphabet)}
ids = torch.tensor([index[c] for c in text])
cut = int(len(ids) * (1 - cfg.getfloat("data", "val_share")))
bptt = cfg.getint("data", "bptt")
train = Lanes(ids[:cut], cfg.getint("data", "lanes"), bptt)
valid = Lanes(ids[cut:], 8, bptt)

model = LogModel(len(alphabet), cfg.getint("model", "width"), cfg.getfloat("model", "dropout"))
opt = torch.optim.Adam(model.parameters(), lr=cfg.getfloat("train", "lr"))
epochs = cfg.getint("train", "epochs")
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 1.0 if e < epochs - 3 else 0.3 ** (e - epochs + 4))


def validate():
    model.eval()
    total = n = 0
    state = None
    with torch.no_grad():
        for x, y in valid:
            out, state = model(x, state)
            total += F.cross_entropy(out.flatten(0, 1), y.flatten(), reduction="sum").item()
            n += y.numel()
    return total / n / math.log(2)


for epoch in range(epochs):
    model.train()
    state = None
    total = n = 0
    for x, y in train:
        if state is not None:
            state = carry(state)
        out, state = model(x, state)
        loss = F.cross_entropy(out.flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.getfloat("train", "clip"))
        opt.step()
        total += loss.item() * y.numel()
        n += y.numel()
    sched.step()
    print(f"epoch {epoch + 1}: train {total / n / math.log(2):.3f} bits/char, valid {validate():.3f} bits/char")

counts = torch.bincount(ids[:cut], minlength=len(alphabet)).float()
p = counts / counts.sum()
print(f"single characters: {-(p * p.clamp_min(1e-9).log2()).sum():.3f} bits/char")

model.eval()
x, state, line = torch.tensor([[index["\n"]]]), None, ""
with torch.no_grad():
    for _ in range(200):
        out, state = model(x, state)
        x = torch.multinomial(F.softmax(out[:, -1], dim=-1), 1)
        line += alphabet[x.item()]
print(line)
