import numpy as np
import torch


def plant(stations, minutes, seed):
    """Pump readings and the level of the tank behind them; the level keeps a memory of a few hundred minutes."""
    g = np.random.default_rng(seed)
    inflow = np.zeros((minutes, stations))
    on = g.random(stations) < 0.5
    demand = np.zeros((minutes, stations))
    level = np.zeros((minutes, stations))
    lv = g.uniform(0.2, 0.8, stations)
    for t in range(minutes):
        on = np.where(g.random(stations) < 0.03, ~on, on)
        inflow[t] = on * 0.030
        demand[t] = np.clip(0.014 + 0.008 * np.sin(2 * np.pi * t / 240) + g.normal(0, 0.004, stations), 0, None)
        lv = np.clip(lv + inflow[t] - demand[t] - 0.004 * np.sqrt(lv), 0.0, 1.0)
        level[t] = lv
    seen_in = inflow + g.normal(0, 0.003, inflow.shape)
    seen_out = demand + g.normal(0, 0.003, demand.shape)
    x = np.stack([(seen_in - 0.015) / 0.015, (seen_out - 0.014) / 0.008], axis=-1)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(level, dtype=torch.float32).unsqueeze(-1)
