import pandas as pd
import torch


class Table:
    """Reads the csv, splits it, and scales the listed columns with training statistics."""

    def __init__(self, cfg, generator):
        df = pd.read_csv(cfg["file"])
        order = torch.randperm(len(df), generator=generator).numpy()
        n_test = int(len(df) * cfg["test_share"])
        test, train = df.iloc[order[:n_test]].copy(), df.iloc[order[n_test:]].copy()

        numeric = cfg["numeric"]
        train[numeric] = train[numeric].astype("float32")
        test[numeric] = test[numeric].astype("float32")
        for col in cfg["scale"]:
            m, s = train[col].mean(), train[col].std()
            train[col] = (train[col] - m) / s
            test[col] = (test[col] - m) / s

        self.y_mean = float(train[cfg["target"]].mean())
        self.y_std = float(train[cfg["target"]].std())
        self.columns = list(numeric) + list(cfg["flags"])
        self.train = self._tensors(train, cfg)
        self.test = self._tensors(test, cfg)
        self.n_zones = int(df[cfg["category"]].max()) + 1

    def _tensors(self, df, cfg):
        x = torch.tensor(df[self.columns].to_numpy("float32"))
        z = torch.tensor(df[cfg["category"]].to_numpy("int64"))
        y = torch.tensor((df[cfg["target"]].to_numpy("float32") - self.y_mean) / self.y_std)
        return x, z, y
