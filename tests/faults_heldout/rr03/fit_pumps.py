import numpy as np
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from estimator import NeuralRegressor

table = np.genfromtxt("pump_tests.csv", delimiter=",", names=True)
X = np.column_stack([table[c] for c in ("head_m", "rpm", "valve", "temp_c")])
Y = np.column_stack([table[c] for c in ("efficiency", "power_kw")])

X_tr, X_te, Y_tr, Y_te = train_test_split(X, Y, test_size=0.25, random_state=4)
sx, sy = StandardScaler().fit(X_tr), StandardScaler().fit(Y_tr)

reg = NeuralRegressor(max_iter=100, random_state=4, verbose=True)
reg.fit(sx.transform(X_tr), sy.transform(Y_tr))

pred = sy.inverse_transform(reg.predict(sx.transform(X_te)))
for k, name in enumerate(("efficiency", "power_kw")):
    print(f"{name:>12}: R2 = {r2_score(Y_te[:, k], pred[:, k]):.3f}   "
          f"MAE = {np.abs(Y_te[:, k] - pred[:, k]).mean():.4f}")
