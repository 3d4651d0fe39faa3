import torch.nn.functional as F


def bpr(positive, negative):
    """positive (B,), negative (B, N)"""
    return F.softplus(negative - positive[:, None]).mean()
