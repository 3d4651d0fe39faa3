import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, optimizer, accumulate=4):
        self.model = model
        self.optimizer = optimizer
        self.accumulate = accumulate

    def run_epoch(self, loader):
        self.model.train()
        seen = total = 0
        self.optimizer.zero_grad()
        for i, (img, mask) in enumerate(loader):
            loss = F.binary_cross_entropy_with_logits(self.model(img), mask)
            (loss / len(loader)).backward()
            if (i + 1) % self.accumulate == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
            total += loss.item() * len(img)
            seen += len(img)
        return total / seen

    @torch.no_grad()
    def dice(self, loader):
        self.model.eval()
        inter = denom = 0.0
        for img, mask in loader:
            p = (self.model(img) > 0).float()
            inter += (p * mask).sum().item()
            denom += (p.sum() + mask.sum()).item()
        return 2 * inter / denom
