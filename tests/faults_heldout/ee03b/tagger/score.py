import torch


@torch.no_grad()
def evaluate(model, batch, outside):
    words, shapes, tags, lens = batch
    model.eval()
    pred = model(words, shapes).argmax(-1)
    model.train()
    real = torch.arange(words.shape[1])[None] < lens[:, None]
    p, g = pred[real], tags[real]
    acc = (p == g).float().mean().item()
    f1s = []
    for c in g.unique().tolist():
        if c == outside:
            continue
        tp = ((p == c) & (g == c)).sum().item()
        f1s.append(2 * tp / max(1, (p == c).sum().item() + (g == c).sum().item()))
    return acc, sum(f1s) / len(f1s)
