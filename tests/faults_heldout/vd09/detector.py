import torch
import torch.nn.functional as F
from torch import nn


class SingleObjectDetector(nn.Module):
    def __init__(self, n_classes=3):
        super().__init__()
        chans = [1, 16, 32, 48]
        layers = []
        for a, b in zip(chans, chans[1:]):
            layers += [nn.Conv2d(a, b, 3, stride=2, padding=1), nn.BatchNorm2d(b), nn.LeakyReLU(0.1)]
        self.backbone = nn.Sequential(*layers, nn.Flatten(), nn.Linear(48 * 16, 96), nn.LeakyReLU(0.1))
        self.objectness = nn.Linear(96, 1)
        self.category = nn.Linear(96, n_classes)
        self.box = nn.Linear(96, 4)

    def forward(self, x):
        h = self.backbone(x)
        return self.objectness(h).squeeze(1), self.category(h), torch.sigmoid(self.box(h))


def detection_loss(outputs, obj, kind, box, box_weight=5.0):
    o, c, b = outputs
    present = obj > 0
    l_obj = F.binary_cross_entropy_with_logits(o, obj)
    l_cls = F.cross_entropy(c[present], kind[present])
    l_box = F.smooth_l1_loss(b[present], box[present], beta=0.05)
    return l_obj + l_cls + box_weight * l_box, {"obj": l_obj.item(), "cls": l_cls.item(), "box": l_box.item()}


def iou(a, b):
    ax0, ay0, ax1, ay1 = a[:, 0] - a[:, 2] / 2, a[:, 1] - a[:, 3] / 2, a[:, 0] + a[:, 2] / 2, a[:, 1] + a[:, 3] / 2
    bx0, by0, bx1, by1 = b[:, 0] - b[:, 2] / 2, b[:, 1] - b[:, 3] / 2, b[:, 0] + b[:, 2] / 2, b[:, 1] + b[:, 3] / 2
    w = (torch.minimum(ax1, bx1) - torch.maximum(ax0, bx0)).clamp(min=0)
    h = (torch.minimum(ay1, by1) - torch.maximum(ay0, by0)).clamp(min=0)
    inter = w * h
    return inter / (a[:, 2] * a[:, 3] + b[:, 2] * b[:, 3] - inter)
