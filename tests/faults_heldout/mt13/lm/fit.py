import math

import torch
import torch.nn.functional as F


def nats(model, seqs):
    logits = model(seqs[:, :-1])[:, 1:]
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), seqs[:, 2:].reshape(-1))


def train(model, data, held, floor, steps, lr, clip, batch=48):
    opt = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.98), weight_decay=0.01)
    warm = 60

    def factor(k):
        if k < warm:
            return (k + 1) / warm
        return 0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * (k - warm) / (steps - warm)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    model.train()
    for k in range(1, steps + 1):
        idx = torch.randint(0, len(data), (batch,))
        loss = nats(model, data[idx])
        opt.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        opt.step()
        sched.step()
        if k % 80 == 0:
            model.eval()
            with torch.no_grad():
                v = nats(model, held).item()
            model.train()
            print(f"{k:5d}  train {loss.item():.4f}  held-out {v:.4f}  source {floor:.4f}  grad norm {norm:.3f}")
