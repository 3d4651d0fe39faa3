import torch
from torch.nn.utils import clip_grad_norm_

from .data import chunks
from .estimator import detach


def train_epoch(model, data, optimizer, cfg, rng):
    model.train()
    total, steps = 0.0, 0
    for x, soc in data.batches(cfg.cells_per_batch, rng):
        for xc, sc in chunks(x, soc, cfg.chunk):
            state = detach(model.init_state(len(x)))
            pred, state = model(xc, state)
            loss = (pred - sc).pow(2).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            clip_grad_norm_(model.parameters(), cfg.clip)
            optimizer.step()
            total += loss.item()
            steps += 1
    return total / steps


@torch.no_grad()
def mean_abs_error(model, data, cfg):
    """Streams every cycle through the estimator as the battery controller does."""
    model.eval()
    err, n = 0.0, 0
    for x, soc in data.batches(cfg.cells_per_batch):
        state = model.init_state(len(x))
        for xc, sc in chunks(x, soc, cfg.chunk):
            pred, state = model(xc, state)
            err += (pred - sc).abs().sum().item()
            n += sc.numel()
    return 100 * err / n
