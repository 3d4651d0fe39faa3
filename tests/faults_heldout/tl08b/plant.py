"""Steam-trap survey: ultrasonic and thermal readings with the inspector's verdict."""
import numpy as np

STATES = ("sound", "blocked", "blowing")
SHARES = (0.974, 0.014, 0.012)
FIELDS = ("t_in", "t_out", "db_25k", "db_40k", "cycle_s", "pressure", "age_y", "flow_noise")


def survey(n, seed):
    rng = np.random.default_rng(seed)
    state = rng.choice(3, size=n, p=SHARES)
    pressure = rng.uniform(2, 14, n)
    t_in = 100 + 28 * np.log(pressure) + rng.normal(0, 4, n)
    drop = np.array([22.0, 42.0, 9.0])[state] + rng.normal(0, 10.5, n)
    load = rng.beta(2, 3, n)
    hiss = np.array([31.0, 25.0, 40.5])[state] + 9 * load + rng.normal(0, 5.5, n)
    db_40k = hiss - 6 + 0.4 * pressure + rng.normal(0, 3, n)
    cycle = np.exp(np.array([2.3, 3.0, 1.7])[state] - 1.2 * load + rng.normal(0, 0.55, n))
    age = rng.gamma(2.2, np.array([2.0, 2.9, 3.0])[state])
    noise = 12 + 20 * load + rng.normal(0, 5, n)
    x = np.column_stack([t_in, t_in - drop, hiss, db_40k, cycle, pressure, age, noise])
    return x.astype(np.float32), state.astype(np.int64)
