import torch


def concordance(risk, days, event):
    earlier = (days[:, None] < days[None, :]) & (event[:, None] > 0)
    diff = risk[:, None] - risk[None, :]
    good = ((diff > 0).float() + 0.5 * (diff == 0).float())[earlier]
    return good.mean().item()
