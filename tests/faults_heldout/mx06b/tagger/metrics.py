import torch


@torch.no_grad()
def tag_scores(acc, model, loss_fn, loader, threshold=0.5):
    model.eval()
    tp = fp = fn = exact = n = 0
    loss = 0.0
    for words, offsets, target in loader:
        logits = model(words, offsets)
        loss += loss_fn(logits, target).item() * len(target)
        guess = acc.gather_for_metrics(logits.sigmoid() > threshold)
        truth = acc.gather_for_metrics(target) > 0.5
        tp += (guess & truth).sum().item()
        fp += (guess & ~truth).sum().item()
        fn += (~guess & truth).sum().item()
        exact += (guess == truth).all(dim=1).sum().item()
        n += len(truth)
    return {
        "loss": loss / n,
        "f1": 2 * tp / max(2 * tp + fp + fn, 1),
        "exact": exact / n,
    }
