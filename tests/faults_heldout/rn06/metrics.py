import torch


class ConfusionMatrix:
    def __init__(self, n_classes):
        self.n = n_classes
        self.reset()

    def reset(self):
        self.mat = torch.zeros(self.n, self.n, dtype=torch.long)

    def update(self, pred, target):
        for t, p in zip(target.flatten(), pred.flatten()):
            self.mat[t.item(), p.item()] += 1

    def miou(self):
        m = self.mat.float()
        inter = m.diag()
        union = m.sum(0) + m.sum(1) - inter
        return (inter / union.clamp(min=1)).mean().item()
