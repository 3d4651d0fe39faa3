"""Customer table: will the customer leave (rare), and how much will the customer spend?"""
import numpy as np
import pandas as pd


def build_table(n, seed):
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 85, n)
    tenure = rng.exponential(30, n).clip(0, 180)
    calls = rng.poisson(1.2 + 0.01 * tenure, n)
    income = rng.lognormal(10.3, 0.45, n)
    plan = rng.choice(["basic", "plus", "family", "business"], n, p=[0.45, 0.3, 0.17, 0.08])
    region = rng.choice(["n", "e", "s", "w"], n)
    fee = pd.Series(plan).map({"basic": 0.0, "plus": 0.5, "family": 0.8, "business": 1.4}).to_numpy()
    z = -4.2 + 1.1 * calls - 0.05 * tenure + 1.3 * (age < 30) - 0.9 * fee + 0.8 * (region == "s")
    leaves = rng.random(n) < 1 / (1 + np.exp(-1.6 * z))
    log_spend = 3.2 + 0.9 * fee + 0.55 * (np.log(income) - 10.3) / 0.45 - 0.00035 * (age - 45) ** 2 + 0.3 * np.sin(tenure / 20) + rng.normal(0, 0.2, n)
    return pd.DataFrame({"age": age, "tenure": tenure, "calls": calls, "income": income, "plan": plan,
                         "region": region, "leaves": leaves.astype(int), "spend": np.exp(log_spend)})


class Preparer:
    numeric = ["age", "tenure", "calls", "log_income"]

    def fit(self, df):
        x = self._numeric(df)
        self.mean, self.std = x.mean(), x.std()
        self.levels = {c: sorted(df[c].unique()) for c in ("plan", "region")}
        t = np.log(df["spend"])
        self.t_mean, self.t_std = t.mean(), t.std()
        return self

    def _numeric(self, df):
        return df.assign(log_income=np.log(df["income"]))[self.numeric]

    def transform(self, df):
        x = ((self._numeric(df) - self.mean) / self.std).to_numpy(np.float32)
        cats = np.stack([df[c].map({v: i for i, v in enumerate(l)}).to_numpy() for c, l in self.levels.items()], 1)
        spend = ((np.log(df["spend"]) - self.t_mean) / self.t_std).to_numpy(np.float32)
        return x, cats.astype(np.int64), df["leaves"].to_numpy(np.float32), spend

    def to_money(self, z):
        return np.exp(z * self.t_std + self.t_mean)
