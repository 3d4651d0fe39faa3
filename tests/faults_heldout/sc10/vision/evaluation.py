import torch
import torch.nn.functional as F


@torch.no_grad()
def evaluate(model, loader):
    """Returns (mean loss, accuracy) over the loader."""
    model.eval()
    loss_sum, correct = 0.0, 0
    for x, y in loader:
        logits = model(x)
        loss_sum += F.cross_entropy(logits, y).item()
        correct += (logits.argmax(dim=1) == y).sum().item()
    return loss_sum / len(loader), correct / (len(loader) * loader.batch_size)
