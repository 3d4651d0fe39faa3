import numpy as np


class FeatureScaler:
    """Compresses the long tails, then standardises."""

    def fit_transform(self, x):
        z = np.log1p(x)
        self.mean_ = z.mean(axis=0)
        self.scale_ = z.std(axis=0) + 1e-8
        return ((z - self.mean_) / self.scale_).astype(np.float32)

    def transform(self, x):
        return ((x - self.mean_) / self.scale_).astype(np.float32)
