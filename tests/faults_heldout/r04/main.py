import json
from pathlib import Path

import torch

from lm.model import CharTransformer
from lm.text import CharCorpus

here = Path(__file__).parent


@torch.no_grad()
def evaluate(model, corpus, cfg, gen):
    model.eval()
    loss, hits, n = 0.0, 0, 0
    for _ in range(8):
        x, y = corpus.batch("val", cfg["batch"], cfg["block"], gen)
        _, l = model(x, y)
        loss += l.item() / 8
        nxt = model(x)[:, -1].argmax(-1)
        hits += (nxt == y[:, -1]).sum().item()
        n += len(x)
    model.train()
    return loss, hits / n


@torch.no_grad()
def complete(model, corpus, prompt, n, block):
    model.eval()
    ids = [corpus.stoi[c] for c in prompt]
    for _ in range(n):
        logits = model(torch.tensor([ids[-block:]]))[0, -1]
        ids.append(int(logits.argmax()))
    return "".join(corpus.chars[i] for i in ids)


def main():
    cfg = json.loads((here / "config.json").read_text())
    torch.manual_seed(42)
    gen = torch.Generator().manual_seed(7)
    corpus = CharCorpus(here / "corpus.txt")
    model = CharTransformer(len(corpus.chars), cfg["block"], cfg["d_model"], cfg["heads"], cfg["layers"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.01)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / cfg["warmup"]))
    for step in range(1, cfg["steps"] + 1):
        x, y = corpus.batch("train", cfg["batch"], cfg["block"], gen)
        _, loss = model(x, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % cfg["eval_every"] == 0:
            vl, acc = evaluate(model, corpus, cfg, gen)
            print(f"step {step} train {loss.item():.3f} val {vl:.3f} last-char acc {acc:.3f}")
    print(repr(complete(model, corpus, "anna buys 3 figs at the mill, and anna", 24, cfg["block"])))


if __name__ == "__main__":
    main()
