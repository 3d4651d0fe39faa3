import torch
import torch.nn.functional as F


def epoch(model, x, y, opt, batch_size, frozen):
    model.train()
    if frozen:
        model.encoder.eval()
    total = 0.0
    for idx in torch.randperm(len(x)).split(batch_size):
        loss = F.cross_entropy(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    return total / len(x)


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    out = model(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()
