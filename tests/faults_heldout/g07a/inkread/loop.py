import torch
import torch.nn.functional as F


def fit(model, train_loader, optimizer):
    model.train()
    total = count = 0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
        count += len(x)
    return total / count


@torch.inference_mode()
def accuracy(model, loader):
    model.eval()
    right = count = 0
    for x, y in loader:
        right += (model(x).argmax(dim=-1) == y).sum().item()
        count += len(y)
    return right / count
