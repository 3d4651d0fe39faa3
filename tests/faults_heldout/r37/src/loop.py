import torch


class AverageMeter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, v, n):
        self.sum += v * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    meter = AverageMeter()
    for images, target in loader:
        output = model(images)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(loss.item(), len(target))
    return meter.avg


def validate(model, loader, criterion):
    losses, acc = AverageMeter(), AverageMeter()
    with torch.no_grad():
        for images, target in loader:
            output = model(images)
            losses.update(criterion(output, target).item(), len(target))
            acc.update((output.argmax(1) == target).float().mean().item(), len(target))
    return losses.avg, acc.avg
