import torch
import torch.nn as nn


class SmoothedCrossEntropy(nn.Module):
    """Cross entropy against softened one-hot targets."""

    def __init__(self, n_classes, smoothing=0.05):
        super().__init__()
        self.n_classes = n_classes
        self.smoothing = smoothing

    def forward(self, outputs, labels):
        log_probs = torch.log_softmax(outputs, dim=1)
        soft = torch.full_like(log_probs, self.smoothing / (self.n_classes - 1))
        soft.scatter_(1, labels.unsqueeze(1), 1.0 - self.smoothing)
        return -(soft * log_probs).sum(dim=1).mean()
