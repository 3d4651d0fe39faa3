import torch
from torch import nn


def mlp(n_in, hidden):
    layers, d = [], n_in
    for h in hidden:
        layers += [nn.Linear(d, h), nn.SiLU()]
        d = h
    return nn.Sequential(*layers, nn.Linear(d, 1))


def train_one_epoch(model, loader, optimizer, scheduler, loss_fn):
    model.train()
    running = 0.0
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        running += loss.item() * x.size(0)
    return running / len(loader.dataset)


@torch.no_grad()
def r2_score(model, loader):
    model.eval()
    p, t = zip(*[(model(x), y) for x, y in loader])
    p, t = torch.cat(p), torch.cat(t)
    return 1 - ((p - t) ** 2).sum().item() / ((t - t.mean()) ** 2).sum().item()
