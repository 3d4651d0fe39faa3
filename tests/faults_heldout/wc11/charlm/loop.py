import time

import torch
from torch.nn import functional as F

from .corpus import get_batch


def repackage(state):
    return tuple(s.detach() for s in state)


@torch.no_grad()
def evaluate(model, source, bptt):
    model.eval()
    state, total = model.init_state(source.size(1)), 0.0
    for i in range(0, len(source) - 1, bptt):
        x, y = get_batch(source, i, bptt)
        out, state = model(x, state)
        total += F.cross_entropy(out.flatten(0, 1), y.flatten()).item() * len(x)
    return total / (len(source) - 1)


def train_epoch(model, source, lr, args, epoch):
    model.train()
    state, total, t0 = model.init_state(source.size(1)), 0.0, time.time()
    params = list(model.parameters())
    for n, i in enumerate(range(0, len(source) - 1, args.bptt), 1):
        x, y = get_batch(source, i, args.bptt)
        state = repackage(state)
        model.zero_grad()
        out, state = model(x, state)
        loss = F.cross_entropy(out.flatten(0, 1), y.flatten())
        torch.nn.utils.clip_grad_norm_(params, args.clip)
        loss.backward()
        with torch.no_grad():
            for p in params:
                p.add_(p.grad, alpha=-lr)
        total += loss.item()
        if n % args.log_interval == 0:
            ms = 1000 * (time.time() - t0) / args.log_interval
            print(f"| epoch {epoch:2d} | {n:4d} batches | lr {lr:5.2f} | {ms:5.1f} ms/batch | loss {total / args.log_interval:6.3f}")
            total, t0 = 0.0, time.time()
