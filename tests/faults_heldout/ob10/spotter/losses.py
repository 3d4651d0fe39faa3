import torch.nn.functional as F


def detection_loss(logits, boxes, labels, target_boxes, cls_weight, box_weight):
    cls = F.cross_entropy(logits, labels)
    box = F.smooth_l1_loss(boxes, target_boxes)
    return cls_weight * cls + box_weight * box, cls.detach(), box.detach()


def iou(a, b):
    ax1, ay1, ax2, ay2 = a[:, 0] - a[:, 2] / 2, a[:, 1] - a[:, 3] / 2, a[:, 0] + a[:, 2] / 2, a[:, 1] + a[:, 3] / 2
    bx1, by1, bx2, by2 = b[:, 0] - b[:, 2] / 2, b[:, 1] - b[:, 3] / 2, b[:, 0] + b[:, 2] / 2, b[:, 1] + b[:, 3] / 2
    w = (ax2.minimum(bx2) - ax1.maximum(bx1)).clamp(min=0)
    h = (ay2.minimum(by2) - ay1.maximum(by1)).clamp(min=0)
    inter = w * h
    return inter / (a[:, 2].clamp(min=0) * a[:, 3].clamp(min=0) + b[:, 2] * b[:, 3] - inter + 1e-6)
