import numpy as np
import torch

N_BINS = 12


def load_cohort(n=3000, d=14, seed=8):
    """Weibull event times with a non-linear risk score, uniform censoring, cut into N_BINS intervals."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    risk = 0.9 * x[:, 0] - 0.7 * x[:, 1] * x[:, 2] + 0.6 * np.abs(x[:, 3]) + 0.4 * x[:, 4]
    t_event = 10 * rng.weibull(1.4, n) * np.exp(-0.7 * risk)
    t_cens = rng.uniform(2, 24, n)
    time, event = np.minimum(t_event, t_cens), (t_event <= t_cens)
    edges = np.quantile(time, np.linspace(0, 1, N_BINS + 1)[1:-1])
    k = np.searchsorted(edges, time)
    to = torch.as_tensor
    return to(x, dtype=torch.float32), to(k), to(event), to(time)
