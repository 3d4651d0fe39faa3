"""Character model of the harbour master's log."""
import json
import math

import torch
import torch.nn.functional as F

from model import CharLM

with open("settings.json") as f:
    S = json.load(f)

torch.manual_seed(S["seed"])

text = open("harbour_log.txt").read()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
n_train = int(0.9 * len(data))
train_ids, val_ids = data[:n_train], data[n_train:]


def get_batch(ids):
    T = S["block"]
    at = torch.randint(len(ids) - T - 1, (S["batch"],))
    x = torch.stack([ids[i:i + T] for i in at])
    y = torch.stack([ids[i + 1:i + T + 1] for i in at])
    return x, y


@torch.no_grad()
def evaluate(model):
    model.eval()
    T = S["block"]
    n = (len(val_ids) - 1) // T
    x = val_ids[:n * T].view(n, T)
    y = val_ids[1:n * T + 1].view(n, T)
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    model.train()
    return loss.item()


model = CharLM(len(chars), S["emb"], S["hidden"])
opt = torch.optim.AdamW(model.parameters(), lr=S["lr"], weight_decay=0.01)
decay = S["decay"]
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda it: decay["factor"] ** (it / decay["every"]))

print(f"{len(text)} characters, {len(chars)} distinct, "
      f"{sum(p.numel() for p in model.parameters())} parameters")

running = None
for it in range(1, S["iterations"] + 1):
    x, y = get_batch(train_ids)
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    running = loss.item() if running is None else 0.95 * running + 0.05 * loss.item()
    if it % 100 == 0:
        v = evaluate(model)
        print(f"iter {it:5d}  train {running:.3f}  val {v:.3f}  ({v / math.log(2):.2f} bits/char)")

model.eval()
start = torch.tensor([[stoi["\n"]]])
print("-" * 40)
print("".join(chars[i] for i in model.sample(start, 200)[0].tolist()))
