import numpy as np


class SkewScaler:
    """Log of the skewed columns, then zero mean and unit variance."""

    def __init__(self, log_columns):
        self.log_columns = list(log_columns)
        self.mean_ = self.scale_ = None

    def _log(self, x):
        x = x.copy()
        x[:, self.log_columns] = np.log(x[:, self.log_columns])
        return x

    def fit_transform(self, x):
        x = self._log(x)
        self.mean_, self.scale_ = x.mean(0), x.std(0)
        return (x - self.mean_) / self.scale_

    def transform(self, x):
        z = x.copy()
        z[:, self.log_columns] = np.log10(z[:, self.log_columns])
        return (z - self.mean_) / self.scale_
