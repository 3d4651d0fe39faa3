"""Writes load.csv: two months of hourly district load (MW) with outdoor temperature. Run once."""
import csv
import math
import pathlib
import random


def main(hours=24 * 70, seed=12):
    rng = random.Random(seed)
    drift, noise = 0.0, 0.0
    rows = []
    for h in range(hours):
        hour, day = h % 24, (h // 24) % 7
        drift = 0.995 * drift + rng.gauss(0, 0.35)
        temp = 9 + 6 * math.sin(2 * math.pi * (hour - 9) / 24) + 5 * math.sin(2 * math.pi * h / (24 * 45)) + drift
        noise = 0.7 * noise + rng.gauss(0, 0.6)
        morning = math.exp(-((hour - 8) / 2.2) ** 2)
        evening = math.exp(-((hour - 19) / 2.8) ** 2)
        level = 52 + (14 * morning + 20 * evening) * (0.7 if day >= 5 else 1.0) - (5 if day >= 5 else 0)
        level += 0.9 * max(0.0, 14 - temp) - 9 * (hour < 5) + noise
        rows.append((h, hour, day, round(temp, 2), round(level, 2)))
    out = pathlib.Path(__file__).with_name("load.csv")
    with open(out, "w", newline="") as fh:
        w = csv.writer(fh)
        w.writerow(["t", "hour", "weekday", "temp", "load"])
        w.writerows(rows)


if __name__ == "__main__":
    main()
