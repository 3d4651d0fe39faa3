"""Card transactions: simulated stream with a small share of fraud."""
import numpy as np

COUNTRIES = 8


def simulate(n, seed):
    rng = np.random.default_rng(seed)
    fraud = rng.random(n) < 0.025
    hour = np.where(fraud, rng.normal(2.5, 4.0, n), rng.normal(14.5, 4.5, n)) % 24
    amount = np.exp(np.where(fraud, rng.normal(4.2, 1.0, n), rng.normal(3.4, 1.0, n)))
    gap = np.exp(np.where(fraud, rng.normal(1.6, 1.2, n), rng.normal(3.2, 1.3, n)))   # minutes
    distance = np.exp(np.where(fraud, rng.normal(3.4, 1.5, n), rng.normal(1.8, 1.2, n)))  # km
    online = rng.random(n) < np.where(fraud, 0.75, 0.35)
    p_home = np.r_[0.70, np.full(COUNTRIES - 1, 0.30 / (COUNTRIES - 1))]
    p_away = np.r_[0.40, np.full(COUNTRIES - 1, 0.60 / (COUNTRIES - 1))]
    country = np.where(fraud, rng.choice(COUNTRIES, n, p=p_away), rng.choice(COUNTRIES, n, p=p_home))
    numeric = np.stack([np.log(amount), np.log(gap), np.log(distance),
                        np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi),
                        online.astype(float)], axis=1)
    onehot = np.eye(COUNTRIES)[country]
    return numeric.astype(np.float32), onehot.astype(np.float32), fraud.astype(np.float32)


def load(n=40000, seed=11):
    numeric, onehot, y = simulate(n, seed)
    order = np.random.default_rng(seed + 1).permutation(n)
    n_tr, n_va = int(0.7 * n), int(0.15 * n)
    tr, va, te = np.split(order, [n_tr, n_tr + n_va])
    mu, sd = numeric[tr].mean(0), numeric[tr].std(0)
    x = np.concatenate([(numeric - mu) / sd, onehot], axis=1)
    return (x[tr], y[tr]), (x[va], y[va]), (x[te], y[te])
