"""Writes patients.csv: covariates, follow-up time and event indicator (right-censored)."""
import numpy as np

rng = np.random.default_rng(21)
n = 2400
age = rng.normal(62, 10, n)
bmi = rng.normal(27, 4, n)
stage = rng.integers(1, 5, n)
marker = rng.lognormal(1.0, 0.6, n)
treated = rng.integers(0, 2, n)
smoker = rng.integers(0, 2, n)
noise = rng.normal(size=(n, 2))
risk = 0.05 * (age - 62) + 0.015 * (bmi - 26) ** 2 + 0.45 * (stage - 2.5) + 0.5 * np.log(marker) \
    - 0.9 * treated * (stage >= 3) + 0.4 * smoker
t = rng.weibull(1.4, n) * 60 * np.exp(-risk / 1.4)
c = rng.uniform(5, 110, n)
time, event = np.minimum(t, c), (t <= c).astype(int)
cols = np.column_stack([age, bmi, stage, marker, treated, smoker, noise, time, event])
np.savetxt("patients.csv", cols, delimiter=",", fmt="%.5g",
           header="age,bmi,stage,marker,treated,smoker,x1,x2,time,event", comments="")
print(f"events {event.mean():.2f}")
