import torch


def build_optimizer(model, cfg):
    if cfg["optimizer"] == "sgd":
        return torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"])
    return torch.optim.Adam(model.parameters(), lr=cfg["lr"])


def train_epoch(model, loader, criterion, optimizer, max_grad_norm):
    model.train()
    total = 0.0
    for words, tags, lengths in loader:
        optimizer.zero_grad()
        loss = criterion(model(words, lengths), tags)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def evaluate(model, loader, n_tags):
    """Token accuracy and macro F1 over the real tokens."""
    model.eval()
    confusion = torch.zeros(n_tags, n_tags)
    for words, tags, lengths in loader:
        pred = model(words, lengths).argmax(-1)
        real = torch.arange(words.shape[1])[None] < lengths[:, None]
        idx = tags[real] * n_tags + pred[real]
        confusion += torch.bincount(idx, minlength=n_tags * n_tags).view(n_tags, n_tags)
    confusion = confusion[1:]
    tp = confusion[:, 1:].diagonal()
    precision = tp / confusion[:, 1:].sum(0).clamp(min=1)
    recall = tp / confusion.sum(1).clamp(min=1)
    f1 = 2 * precision * recall / (precision + recall).clamp(min=1e-9)
    return (tp.sum() / confusion.sum()).item(), f1.mean().item()
