import torch.nn.functional as F


def softmax_ce(logits, target):
    return F.cross_entropy(logits, target)


def sigmoid_bce(logits, target):
    return F.binary_cross_entropy_with_logits(logits, target)


CRITERIA = {"softmax_ce": softmax_ce, "sigmoid_bce": sigmoid_bce}
