import math

import torch
import torch.nn.functional as F

from lm.model import LMConfig, TinyLM
from lm.text import Lexicon, Windows, read_lines

STEPS, WARMUP, PEAK, BATCH = 260, 25, 4e-3, 24


def lr_factor(step):
    if step < WARMUP:
        return (step + 1) / WARMUP
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * (step - WARMUP) / (STEPS - WARMUP)))


def split_decay(model):
    decay = [p for p in model.parameters() if p.ndim >= 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    return [{"params": decay, "weight_decay": 0.05}, {"params": rest, "weight_decay": 0.0}]


@torch.no_grad()
def perplexity(model, windows):
    model.eval()
    x, y = windows.consecutive()
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    model.train()
    return loss.item(), math.exp(loss.item())


def main():
    torch.manual_seed(2024)
    train_lines, valid_lines = read_lines("train.txt"), read_lines("valid.txt")
    lex = Lexicon(train_lines)
    cfg = LMConfig(vocab=len(lex.itos))
    train = Windows(lex.encode(train_lines), cfg.context)
    valid = Windows(lex.encode(valid_lines), cfg.context)
    model = TinyLM(cfg)
    print(f"vocab {cfg.vocab}, {sum(p.numel() for p in model.parameters())} parameters, {len(train.stream)} tokens")
    opt = torch.optim.AdamW(split_decay(model), lr=PEAK, betas=(0.9, 0.95))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_factor)
    for step in range(1, STEPS + 1):
        x, y = train.sample(BATCH)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 40 == 0 or step == 1:
            print("step %4d loss %.3f | valid %.4f ppl %.2f" % ((step, loss.item()) + perplexity(model, valid)))


if __name__ == "__main__":
    main()
