from collections import defaultdict

import torch
import torch.nn.functional as F


def dice_loss(logits, mask, eps=1.0):
    p = torch.sigmoid(logits)
    inter = (p * mask).sum((1, 2, 3))
    return (1 - (2 * inter + eps) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + eps)).mean()


def iou(logits, mask):
    pred = logits > 0
    mask = mask > 0.5
    return (pred & mask).sum().item() / (pred | mask).sum().item()


class Learner:
    def __init__(self, model, train, valid, lr):
        self.model, self.train, self.valid = model, train, valid
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.curves = defaultdict(list)

    def loss(self, logits, mask):
        return F.binary_cross_entropy_with_logits(logits, mask) + 0.5 * dice_loss(logits, mask)

    def train_epoch(self, batch):
        self.model.train()
        x, m = self.train
        for idx in torch.randperm(len(x)).split(batch):
            loss = self.loss(self.model(x[idx]), m[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.curves["train_loss"].append(loss.item())

    def validate(self, batch):
        self.model.eval()
        x, m = self.valid
        score = []
        for xb, mb in zip(x.split(batch), m.split(batch)):
            logits = self.model(xb)
            self.curves["valid_loss"].append(self.loss(logits, mb))
            score.append(iou(logits, mb))
        self.curves["valid_iou"].append(sum(score) / len(score))

    def fit(self, epochs, batch=16):
        for epoch in range(1, epochs + 1):
            self.train_epoch(batch)
            self.validate(32)
            if epoch % 3 == 0:
                print(f"epoch {epoch:2d}  train {sum(self.curves['train_loss'][-10:]) / 10:.4f}  "
                      f"valid {self.curves['valid_loss'][-1]:.4f}  IoU {self.curves['valid_iou'][-1]:.3f}")
        return self.curves
