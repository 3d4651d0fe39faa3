"""Learn the power curve of a wind turbine from 10-minute SCADA averages."""
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from estimator import ChunkRegressor

HERE = Path(__file__).parent


def features(df):
    angle = np.deg2rad(df["wind_dir"])
    x = np.column_stack([df["wind_speed"], df["turbulence"], df["air_temp"], df["pressure"],
                         df["pitch"], np.sin(angle), np.cos(angle)])
    return x.astype(np.float32)


def main():
    cfg = yaml.safe_load((HERE / "config.yaml").read_text())
    df = pd.read_csv(HERE / "scada.csv")
    x, y = features(df), df["power_kw"].to_numpy(np.float32)
    n = int(len(df) * cfg["data"]["train_share"])
    x_mean, x_std = x[:n].mean(0), x[:n].std(0)
    y_mean, y_std = y[:n].mean(), y[:n].std()
    x = (x - x_mean) / x_std
    z = (y - y_mean) / y_std

    model = ChunkRegressor(seed=cfg["seed"], **cfg["model"])
    rng = np.random.default_rng(cfg["seed"])
    size = cfg["data"]["chunk"]
    for epoch in range(1, cfg["epochs"] + 1):
        order = rng.permutation(n)
        losses = [model.partial_fit(x[order[i:i + size]], z[order[i:i + size]])
                  for i in range(0, n - size + 1, size)]
        if epoch % 5 == 0:
            rmse = y_std * np.sqrt(np.mean((model.predict(x[n:]) - z[n:]) ** 2))
            print(f"epoch {epoch:3d}  train mse {np.mean(losses):.4f}  "
                  f"valid rmse {rmse:7.1f} kW  R2 {model.score(x[n:], z[n:]):.4f}")


if __name__ == "__main__":
    main()
