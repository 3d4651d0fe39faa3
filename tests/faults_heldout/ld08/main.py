import numpy as np
import torch
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from regressor import StrengthRegressor

torch.manual_seed(23)
table = np.loadtxt("mixes.csv", delimiter=",", skiprows=1, dtype=np.float32)
train, val = train_test_split(table, test_size=0.25, random_state=23)
scale = StandardScaler().fit(train)
train, val = (torch.from_numpy(scale.transform(t)) for t in (train, val))

reg = StrengthRegressor()
reg.fit(train[:, :-1], train[:, -1], val[:, :-1], val[:, -1])
pred = reg.predict(val[:, :-1]) - val[:, -1]
print("RMSE in MPa: %.2f" % (pred.pow(2).mean().sqrt().item() * scale.scale_[-1]))
