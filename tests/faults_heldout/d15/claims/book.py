import numpy as np


def policies(n, seed):
    """Motor policies: skewed covariates, exposure in years, claim counts."""
    rng = np.random.default_rng(seed)
    mileage = rng.lognormal(9.2, 0.7, n)
    value = rng.lognormal(9.8, 0.6, n)
    density = rng.lognormal(5.0, 1.2, n)
    age = rng.uniform(18, 80, n)
    power = rng.lognormal(4.4, 0.35, n)
    exposure = rng.uniform(0.3, 1.0, n)
    eta = (-0.6 + 0.6 * (np.log(mileage) - 9.2) + 0.35 * (np.log(density) - 5.0)
           + 0.5 * (np.log(power) - 4.4) + 0.9 * np.exp(-(age - 18) / 9) - 0.2 * np.abs(np.log(value) - 9.8))
    counts = rng.poisson(exposure * np.exp(eta))
    x = np.stack([mileage, value, density, age, power], 1)
    return x, exposure, counts
