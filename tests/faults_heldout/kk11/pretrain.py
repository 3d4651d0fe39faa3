import os
from pathlib import Path

import torch

from blocks import TinyGPT
from tokenizer import load_corpus

HERE = Path(__file__).resolve().parent
CONTEXT = int(os.getenv("CONTEXT", 40))
BATCH = int(os.getenv("BATCH", 16))
STEPS = int(os.getenv("STEPS", 320))
LR = float(os.getenv("LR", 4e-3))


def batches(data, gen):
    while True:
        i = torch.randint(len(data) - CONTEXT - 1, (BATCH,), generator=gen)
        x = torch.stack([data[j:j + CONTEXT] for j in i])
        y = torch.stack([data[j + 1:j + 1 + CONTEXT] for j in i])
        yield x, y


def main():
    torch.manual_seed(6)
    tok, train, val = load_corpus(HERE / "data" / "tales.txt")
    model = TinyGPT(len(tok), CONTEXT)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters, {len(train)} characters")
    opt = torch.optim.AdamW(model.parameters(), lr=LR, betas=(0.9, 0.98), weight_decay=0.05)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=LR, total_steps=STEPS, pct_start=0.1)
    feed = batches(train, torch.Generator().manual_seed(1))
    for step in range(1, STEPS + 1):
        model.train()
        loss = model(*next(feed))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 64 == 0:
            model.eval()
            held = batches(val, torch.Generator().manual_seed(2))
            with torch.no_grad():
                vl = sum(model(*next(held)).item() for _ in range(8)) / 8
            print(f"step {step:4d}  train {loss.item():.3f}  val {vl:.3f}")
    model.eval()
    start = tok.encode("the old ").unsqueeze(0)
    print("--- sample ---")
    print(tok.decode(model.generate(start, 160)[0]))


if __name__ == "__main__":
    main()
