import torch
import torch.nn.functional as F


def hazard_nll(logits, k, event):
    """Discrete-time survival likelihood.

    logits: (B, K) hazard logits; k: interval of event or censoring; event: bool.
    Intervals after k are not at risk and take no part.
    """
    bins = torch.arange(logits.shape[1])
    at_risk = bins[None] <= k[:, None]
    died = (bins[None] == k[:, None]) & event[:, None]
    return F.binary_cross_entropy_with_logits(logits[at_risk], died[at_risk].float(), reduction="sum")
