import torch


def cox_loss(risk, time, event):
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, dim=0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    earlier = (time.unsqueeze(1) < time.unsqueeze(0)) & (event.unsqueeze(1) > 0)
    diff = risk.unsqueeze(1) - risk.unsqueeze(0)
    good = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (good[earlier].sum() / earlier.sum()).item()
