import numpy as np
import pandas as pd
import torch
from torch.utils.data import DataLoader, TensorDataset


class Adverts:
    def __init__(self, path, seed, batch_size):
        df = pd.read_csv(path).sample(frac=1.0, random_state=seed).reset_index(drop=True)
        num = np.stack([df.age_years, np.log(df.km), np.log(df.power_hp), df.owners], 1)
        cat = pd.get_dummies(df[["fuel", "gearbox"]]).to_numpy(float)
        logp = np.log(df.price_eur.to_numpy(float))
        cut = int(0.8 * len(df))
        num = (num - num[:cut].mean(0)) / num[:cut].std(0)
        self.mean, self.std = logp[:cut].mean(), logp[:cut].std()
        x = torch.tensor(np.concatenate([num, cat], 1), dtype=torch.float32)
        y = torch.tensor((logp - self.mean) / self.std, dtype=torch.float32)
        self.n_features = x.shape[1]
        self.train = DataLoader(TensorDataset(x[:cut], y[:cut]), batch_size=batch_size, shuffle=True)
        self.x_val, self.euro_val = x[cut:], df.price_eur.to_numpy(float)[cut:]

    def to_euro(self, z):
        return np.exp(z * self.std + self.mean)
