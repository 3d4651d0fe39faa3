import torch
import torch.nn.functional as F


def train_epoch(net, optimizer, x, y, batch_size):
    net.train()
    total = 0.0
    for b in torch.randperm(len(y)).split(batch_size):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x[b]), y[b])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(b)
    return total / len(y)


@torch.inference_mode()
def score(net, recordings):
    net.eval
    n = right = 0
    loss = 0.0
    for x, y in recordings:
        out = net(x)
        loss += F.cross_entropy(out, y, reduction="sum").item()
        right += (out.argmax(1) == y).sum().item()
        n += len(y)
    return loss / n, right / n
