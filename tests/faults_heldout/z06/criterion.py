import torch.nn.functional as F


class DetectionCriterion:
    def __init__(self, size_weight=0.1):
        self.size_weight = size_weight

    def __call__(self, outputs, occupancy, side):
        obj, size = outputs
        loss_obj = F.cross_entropy(obj.flatten(1), occupancy.flatten(1))
        hit = occupancy > 0
        loss_size = F.smooth_l1_loss(size[hit], side[hit])
        return {"objectness": loss_obj, "size": loss_size, "total": loss_obj + self.size_weight * loss_size}
