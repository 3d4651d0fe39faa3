import torch


def weibull_nll(log_scale, log_shape, t, event):
    """Right-censored Weibull likelihood. Deaths on the day of admission contribute
    through the survivor term only."""
    shape = log_shape.exp()
    log_t = torch.log(t)
    log_hazard = log_shape - log_scale + (shape - 1) * (log_t - log_scale)
    log_hazard = torch.where(t > 0, log_hazard, torch.zeros_like(log_hazard))
    cum_hazard = (t / log_scale.exp()).clamp(min=1e-6) ** shape
    return (cum_hazard - event * log_hazard).mean()


def concordance(risk, t, event):
    earlier = (t[:, None] < t[None, :]) & (event[:, None] > 0)
    diff = risk[:, None] - risk[None, :]
    score = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (score[earlier].sum() / earlier.sum()).item()
