import csv

import numpy as np
import torch

DISTRICTS = ["Altstadt", "Hafen", "Nord", "Ost", "Seeblick", "Sued", "Villen", "West"]
ENERGY = "ABCDEFG"


def read_table(path):
    districts, numeric, price = [], [], []
    with open(path, newline="") as fh:
        for row in csv.DictReader(fh):
            districts.append(DISTRICTS.index(row["district"]))
            numeric.append([
                np.log(float(row["area_m2"])), float(row["rooms"]), float(row["age"]), float(row["floor"]),
                float(row["lift"]), ENERGY.index(row["energy_class"]), np.log1p(float(row["km_to_centre"])),
            ])
            price.append(float(row["price"]))
    return np.array(districts), np.array(numeric), np.array(price)


class HouseData:
    """Splits the table 70/15/15 and standardises with training statistics."""

    def __init__(self, path, seed):
        district, numeric, price = read_table(path)
        order = np.random.default_rng(seed).permutation(len(price))
        n_val = n_test = int(0.15 * len(price))
        parts = {"test": order[:n_test], "val": order[n_test:n_test + n_val], "train": order[n_test + n_val:]}
        tr = parts["train"]
        mean, std = numeric[tr].mean(0), numeric[tr].std(0)
        log_price = np.log(price)
        self.y_mean, self.y_std = log_price[tr].mean(), log_price[tr].std()
        self.splits = {}
        for name, idx in parts.items():
            self.splits[name] = (
                torch.tensor(district[idx]),
                torch.tensor((numeric[idx] - mean) / std, dtype=torch.float32),
                torch.tensor((log_price[idx] - self.y_mean) / self.y_std, dtype=torch.float32),
            )

    def to_price(self, z):
        return torch.exp(z * self.y_std + self.y_mean)
