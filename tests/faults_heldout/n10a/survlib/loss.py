import torch


def weibull_nll(log_scale, log_shape, time, event):
    """Negative log-likelihood of right-censored Weibull times.

    log h(t) = log k - log s + (k - 1) (log t - log s),   H(t) = (t / s)^k
    """
    k = log_shape.exp()
    rel = torch.log(time) - log_scale
    log_hazard = log_shape - log_scale + (k - 1) * rel
    cum_hazard = torch.exp(k * rel)
    return (cum_hazard - event * log_hazard).mean()
