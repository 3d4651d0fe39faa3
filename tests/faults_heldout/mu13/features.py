import numpy as np
import pandas as pd
import torch

CATEGORICAL = ["depot", "vehicle"]
NUMERIC = ["distance_km", "weight_kg", "hour", "rain"]


class Preprocessor:
    def fit(self, df):
        self.levels = {c: {v: i + 1 for i, v in enumerate(sorted(df[c].dropna().unique()))} for c in CATEGORICAL}
        self.median = df[NUMERIC].median()
        filled = df[NUMERIC].fillna(self.median)
        self.mean, self.std = filled.mean(), filled.std()
        self.with_gaps = [c for c in NUMERIC if df[c].isna().any()]
        return self

    def transform(self, df):
        cats = np.stack([df[c].map(self.levels[c]).fillna(0).astype(int) for c in CATEGORICAL], 1)
        num = (df[NUMERIC].fillna(self.median) - self.mean) / self.std
        flags = df[self.with_gaps].isna().astype(float)
        dense = pd.concat([num, flags], axis=1).to_numpy()
        return torch.tensor(cats), torch.tensor(dense, dtype=torch.float32)

    @property
    def cardinalities(self):
        return [len(self.levels[c]) + 1 for c in CATEGORICAL]

    @property
    def n_dense(self):
        return len(NUMERIC) + len(self.with_gaps)
