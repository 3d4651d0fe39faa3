import time

import torch
import torch.nn.functional as F

from .metrics import ConfusionMatrix


class Runner:
    def __init__(self, net, optimizer, n_classes, class_weight=None):
        self.net, self.optimizer = net, optimizer
        self.weight = class_weight
        self.matrix = ConfusionMatrix(n_classes)

    def train_step(self, images, masks):
        logits = self.net(images)
        loss = F.cross_entropy(logits, masks, weight=self.weight)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss.detach(), logits.detach().argmax(1)

    def epoch(self, batches):
        self.net.train()
        self.matrix.reset()
        total, n, start = torch.zeros(()), 0, time.time()
        for images, masks in batches:
            loss, pred = self.train_step(images, masks)
            self.matrix.update(masks, pred)
            total += loss
            n += 1
        return total.item() / n, self.matrix.iou()[1:].mean().item(), time.time() - start

    @torch.no_grad()
    def test(self, images, masks, n_classes):
        self.net.eval()
        pred = self.net(images).argmax(1)
        ious = []
        for c in range(1, n_classes):
            inter, union = ((pred == c) & (masks == c)).sum(), ((pred == c) | (masks == c)).sum()
            ious.append((inter / union.clamp(min=1)).item())
        return sum(ious) / len(ious)
