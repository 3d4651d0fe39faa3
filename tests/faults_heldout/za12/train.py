import time
from types import SimpleNamespace

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

import frames
from layers import FieldTagger

cfg = SimpleNamespace(batch=40, epochs=8, lr=2e-3, warmup=40, wd=0.01, seed=1)


def accuracy(model, loader):
    model.eval()
    good = total = 0
    with torch.inference_mode():
        for ids, tags in loader:
            keep = tags != frames.IGNORE
            good += (model(ids).argmax(-1) == tags)[keep].sum().item()
            total += keep.sum().item()
    return good / total


def run():
    torch.manual_seed(cfg.seed)
    train = DataLoader(frames.load("train"), cfg.batch, shuffle=True)
    dev = DataLoader(frames.load("dev"), 200)
    model = FieldTagger(frames.VOCAB, frames.TAGS, frames.LENGTH)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.wd)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / cfg.warmup))
    start = time.time()
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        mean = 0.0
        for n, (ids, tags) in enumerate(train, 1):
            logits = model(ids)
            loss = cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=frames.IGNORE)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            mean += (loss.item() - mean) / n
        print(f"[{time.time() - start:5.1f}s] epoch {epoch} loss {mean:.4f} dev tag accuracy {accuracy(model, dev):.4f}")


if __name__ == "__main__":
    run()
