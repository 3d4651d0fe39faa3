import torch
from torch import nn

from .corpus import PAD_TAG


class Engine:
    def __init__(self, model, lr, momentum, clip):
        self.model, self.clip = model, clip
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum)
        self.criterion = nn.CrossEntropyLoss(ignore_index=PAD_TAG)

    def train_epoch(self, loader):
        self.model.train()
        total = tokens = 0
        for words, tags in loader:
            n = int((tags != PAD_TAG).sum())
            logits = self.model(words)
            loss = self.criterion(logits.flatten(0, 1), tags.flatten())
            self.opt.zero_grad()
            (loss / n).backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            self.opt.step()
            total += loss.item() * n
            tokens += n
        return total / tokens

    @torch.no_grad()
    def evaluate(self, loader, outside):
        self.model.eval()
        total = tokens = tp = fp = fn = 0
        for words, tags in loader:
            logits = self.model(words)
            keep = tags != PAD_TAG
            n = int(keep.sum())
            total += self.criterion(logits.flatten(0, 1), tags.flatten()).item() * n
            tokens += n
            p, t = logits.argmax(-1)[keep], tags[keep]
            tp += int(((p == t) & (t != outside)).sum())
            fp += int(((p != t) & (p != outside)).sum())
            fn += int(((p != t) & (t != outside)).sum())
        return total / tokens, 2 * tp / max(2 * tp + fp + fn, 1)
