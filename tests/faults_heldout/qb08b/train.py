"""Character level language model on tales.txt."""
import json
import sys

import torch

from gpt import GPT, GPTConfig

with open(sys.argv[1]) as f:
    run = json.load(f)
torch.manual_seed(run["seed"])

text = open("tales.txt").read()
chars = sorted(set(text))
stoi = {ch: i for i, ch in enumerate(chars)}
ids = torch.tensor([stoi[ch] for ch in text])
split = int(0.9 * len(ids))
parts = {"train": ids[:split], "val": ids[split:]}

config = GPTConfig(vocab_size=len(chars), **run["model"])
model = GPT(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=run["lr"], betas=(0.9, 0.95), weight_decay=0.01)
warmup = run["warmup"]
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / warmup))


def get_batch(part):
    data = parts[part]
    at = torch.randint(len(data) - config.block_size - 1, (run["batch_size"],))
    x = torch.stack([data[i:i + config.block_size] for i in at])
    y = torch.stack([data[i + 1:i + 1 + config.block_size] for i in at])
    return x, y


@torch.no_grad()
def estimate(batches=8):
    model.eval()
    res = {k: sum(model(*get_batch(k)).item() for _ in range(batches)) / batches for k in parts}
    model.train()
    return res


print(f"{len(ids)} characters, vocabulary {len(chars)}, "
      f"{sum(p.numel() for p in model.parameters())} parameters")
model.train()
for step in range(run["max_iters"]):
    loss = model(*get_batch("train"))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    if (step + 1) % run["eval_interval"] == 0:
        e = estimate()
        print(f"iter {step + 1}: loss {loss.item():.4f} train {e['train']:.4f} val {e['val']:.4f}")
