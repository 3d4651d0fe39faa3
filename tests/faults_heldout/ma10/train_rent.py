import numpy as np
import torch

from src.features import Standardizer, load_table
from src.regressor import RentRegressor

torch.manual_seed(77)
x, y = load_table("data/listings.csv", "data/attributes.json")
order = np.random.default_rng(77).permutation(len(y))
n_val = len(y) // 5
va, tr = order[:n_val], order[n_val:]
sx, sy = Standardizer().fit(x[tr]), Standardizer().fit(y[tr])

model = RentRegressor(x.shape[1])
model.fit(sx(x[tr]), sy(y[tr]), sx(x[va]), sy(y[va]))
rent = np.exp(sy.invert(model.predict(sx(x[va]))))
print(f"median absolute error: {np.median(np.abs(rent - np.exp(y[va]))):.0f} EUR per month")
