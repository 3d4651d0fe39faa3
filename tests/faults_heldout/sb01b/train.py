"""Character-level language model on the manual texts in ./data."""
import math
import time
from pathlib import Path

import torch

from model import CharGPT

HERE = Path(__file__).parent
CONTEXT = 32
BATCH = 32
STEPS = 480
EVAL_EVERY = 48
LR = 3e-3

torch.manual_seed(1337)


def load_split(name, stoi):
    text = (HERE / "data" / f"{name}.txt").read_text(encoding="ascii")
    return torch.tensor([stoi[c] for c in text], dtype=torch.long)


def get_batch(stream, size):
    start = torch.randint(0, len(stream) - CONTEXT - 1, (size,))
    x = torch.stack([stream[s:s + CONTEXT] for s in start])
    y = torch.stack([stream[s + 1:s + CONTEXT + 1] for s in start])
    return x, y


@torch.no_grad()
def evaluate(model, windows):
    model.eval()
    losses = [model(x, y)[1].item() for x, y in windows]
    model.train()
    return sum(losses) / len(losses)


def lr_at(step):
    if step < 40:
        return LR * (step + 1) / 40
    t = (step - 40) / (STEPS - 40)
    return LR * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * t)))


def main():
    chars = "\n" + "".join(chr(c) for c in range(32, 127))
    stoi = {c: i for i, c in enumerate(chars)}
    train_stream = load_split("train", stoi)
    val_stream = load_split("val", stoi)
    print(f"train {len(train_stream):,} chars, val {len(val_stream):,} chars, vocab {len(chars)}")

    val_windows = [get_batch(val_stream, 64) for _ in range(4)]
    model = CharGPT(len(chars), CONTEXT)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters")
    opt = torch.optim.AdamW(model.parameters(), lr=LR, betas=(0.9, 0.98), weight_decay=0.01)

    t0, running = time.time(), []
    for step in range(STEPS):
        for g in opt.param_groups:
            g["lr"] = lr_at(step)
        x, y = get_batch(train_stream, BATCH)
        _, loss = model(x, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        running.append(loss.item())
        if (step + 1) % EVAL_EVERY == 0:
            val = evaluate(model, val_windows)
            print(f"step {step + 1:4d} | train {sum(running) / len(running):.3f} "
                  f"| val {val:.3f} | {time.time() - t0:.1f}s")
            running = []


if __name__ == "__main__":
    main()
