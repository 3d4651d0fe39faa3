import torch.nn.functional as F


def detection_loss(out, batch, size, box_weight=5.0):
    """Cross-entropy plus weighted box term."""
    logits, boxes = out
    cls = F.cross_entropy(logits, batch["cls"])
    box = F.l1_loss(boxes, batch["box"])
    return cls + box_weight * box, {"cls": cls.item(), "box": box.item()}
