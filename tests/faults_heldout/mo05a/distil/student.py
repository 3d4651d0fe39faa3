from torch import nn
import torch.nn.functional as F


def student(hidden):
    return nn.Sequential(nn.Linear(64, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, 10))


def distil_loss(logits, labels, teacher, tau, alpha):
    soft = F.kl_div(F.log_softmax(logits / tau, -1), F.log_softmax(teacher / tau, -1),
                    log_target=True, reduction="batchmean") * tau * tau
    return alpha * soft + (1 - alpha) * F.cross_entropy(logits, labels)
