import argparse

import torch

from gpt import GPT

p = argparse.ArgumentParser()
p.add_argument("--text", default="corpus.txt")
p.add_argument("--steps", type=int, default=500)
p.add_argument("--batch", type=int, default=32)
p.add_argument("--lr", type=float, default=3e-3)
p.add_argument("--warmup", type=int, default=40)
p.add_argument("--report", type=int, default=100)
a = p.parse_args()
torch.manual_seed(99)

text = open(a.text).read()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(ids))
train, held = ids[:cut], ids[cut:]

model = GPT(len(chars))
opt = torch.optim.AdamW(model.parameters(), lr=a.lr, betas=(0.9, 0.98), weight_decay=0.05)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / a.warmup) * (1 - 0.9 * s / a.steps))


def windows(source, n, length):
    at = torch.randint(len(source) - length - 1, (n,))
    return torch.stack([source[i:i + length + 1] for i in at])


@torch.no_grad()
def typing_score(n=400):
    """How often the model types the character that follows an unseen snippet."""
    model.eval()
    w = windows(held, n, model.context)
    logp = model(w[:, :-1])[:, -1].log_softmax(-1)
    last = w[:, -1]
    return (logp.argmax(-1) == last).float().mean().item(), -logp.gather(1, last[:, None]).mean().item()


for step in range(1, a.steps + 1):
    model.train()
    w = windows(train, a.batch, model.context)
    _, loss = model(w[:, :-1], w[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if step % a.report == 0:
        acc, nll = typing_score()
        print(f"step {step} loss {loss.item():.3f} | held-out next char: accuracy {acc:.3f} nll {nll:.3f}")

print("---")
print("".join(chars[i] for i in model.generate(held[None, :20], 160)[0].tolist()))
