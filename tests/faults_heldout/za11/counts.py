import csv
import datetime as dt
from collections import defaultdict

import numpy as np


def load_station_days(path):
    """-> stations, dates, counts[station, day] with NaN where the counter was silent or reported nonsense."""
    table = defaultdict(dict)
    with open(path) as fh:
        for rec in csv.reader(fh):
            if len(rec) != 3 or rec[0] == "station":      # page breaks repeat the header
                continue
            station, day, count = (c.strip() for c in rec)
            day = dt.date.fromisoformat(day)
            value = float(count) if count.lstrip("-").isdigit() else float("nan")
            table[station][day] = value if value >= 0 else float("nan")
    stations = sorted(table)
    first = min(min(d) for d in table.values())
    last = max(max(d) for d in table.values())
    dates = [first + dt.timedelta(days=i) for i in range((last - first).days + 1)]
    out = np.full((len(stations), len(dates)), np.nan, dtype=np.float32)
    for i, s in enumerate(stations):
        for j, d in enumerate(dates):
            out[i, j] = table[s].get(d, np.nan)
    return stations, dates, out


def calendar(dates):
    doy = np.array([d.timetuple().tm_yday for d in dates]) * (2 * np.pi / 365.25)
    week = np.eye(7)[[d.weekday() for d in dates]]
    return np.concatenate([np.stack([np.sin(doy), np.cos(doy), np.sin(2 * doy), np.cos(2 * doy)], 1), week], 1)
