import torch
import torch.nn.functional as F

# total negative log-likelihood of a batch, in nats
def nll(logits, y):
    return F.cross_entropy(logits, y, reduction="sum")


def run_epoch(model, loader, opt):
    model.train()
    total = 0.0
    for x, y in loader:
        loss = nll(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        total += loss.item()
    return total


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    total, hits, n = 0.0, 0, 0
    for x, y in loader:
        logits = model(x)
        total += nll(logits, y).item()
        hits += (logits.argmax(1) == y).sum().item()
        n += len(y)
    return total, hits / n
