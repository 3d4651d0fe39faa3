import numpy as np
import torch


def simulate(n, rng):
    """Ten covariates, non-linear hazard, exponential event times, random censoring."""
    x = rng.standard_normal((n, 10)).astype(np.float32)
    log_hazard = 1.2 * x[:, 0] + 0.8 * np.maximum(x[:, 1], 0) * 2 - 0.9 * x[:, 2] + 0.5 * x[:, 3] * x[:, 4]
    event_time = rng.exponential(np.exp(-log_hazard))
    censor_time = rng.exponential(2.5, n)
    time = np.minimum(event_time, censor_time).astype(np.float32)
    observed = (event_time <= censor_time)
    return torch.from_numpy(x), torch.from_numpy(time), torch.from_numpy(observed.astype(np.float32))


def cohorts(seed, n_train=1600, n_test=500):
    rng = np.random.default_rng(seed)
    return simulate(n_train, rng), simulate(n_test, rng)
