import torch


@torch.no_grad()
def ranking_metrics(model, loader, k=10):
    """HR@k and MRR@k of the true next item among all items."""
    model.eval()
    hits, reciprocal = 0, 0.0
    for x, length, target in loader:
        logits = model(x)[torch.arange(len(x)), length - 1]
        logits[:, 0] = float("-inf")
        own = logits.gather(1, target[:, None])
        rank = (logits > own).sum(1) + 1
        inside = rank <= k
        hits += inside.sum().item()
        reciprocal += (inside / rank).sum().item()
    n = len(loader) * loader.batch_size
    return hits / n, reciprocal / n
