"""Writes readings.csv: the 8x8 scans with their spoken label."""
import csv

from sklearn.datasets import load_digits

NAMES = "zero one two three four five six seven eight nine".split()
d = load_digits()
with open("readings.csv", "w", newline="") as fh:
    w = csv.writer(fh)
    w.writerow([f"p{i}" for i in range(64)] + ["label"])
    for row, t in zip(d.data.astype(int), d.target):
        w.writerow(list(row) + [NAMES[t]])
