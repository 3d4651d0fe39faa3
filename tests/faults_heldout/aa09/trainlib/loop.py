import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_


def fit(model, optimizer, precision, loaders, epochs, max_norm):
    train_loader, val_loader = loaders
    for epoch in range(1, epochs + 1):
        model.train()
        seen = total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad(set_to_none=True)
            with precision.autocast():
                loss = F.cross_entropy(model(x), y)
            precision.backward(loss)
            if max_norm:
                clip_grad_norm_(model.parameters(), max_norm)
            precision.step(optimizer)
            total += loss.item() * len(y)
            seen += len(y)
        acc = evaluate(model, val_loader, precision)
        print(f"epoch {epoch}: train loss {total / seen:.4f}, val accuracy {acc:.3f}")


@torch.no_grad()
def evaluate(model, loader, precision):
    model.eval()
    hits = n = 0
    for x, y in loader:
        with precision.autocast():
            hits += (model(x).argmax(1) == y).sum().item()
        n += len(y)
    return hits / n
