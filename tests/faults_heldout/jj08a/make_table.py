"""Creates subscribers.csv (synthetic telecom table)."""
import csv
import math
import pathlib
import random


def main(n=3000, seed=404):
    rng = random.Random(seed)
    rows = []
    for _ in range(n):
        tenure = int(rng.expovariate(1 / 22)) + 1
        contract = rng.choices(["monthly", "yearly", "two_year"], [0.55, 0.25, 0.2])[0]
        internet = rng.choices(["fiber", "dsl", "none"], [0.45, 0.35, 0.2])[0]
        calls = min(9, int(rng.expovariate(0.8)))
        usage = max(0.0, rng.gauss(14 if internet == "fiber" else 8, 5)) if internet != "none" else 0.0
        bill = 18 + {"fiber": 42, "dsl": 22, "none": 0}[internet] + 0.8 * usage + rng.gauss(0, 6)
        drops = max(0, int(rng.gauss(3, 2)))
        value = bill / (5 + usage + 0.1 * tenure)
        z = -2.1 + 1.7 * (contract == "monthly") - 0.055 * tenure + 0.5 * calls
        z += 1.3 * math.sin(value) * (internet != "none") + 0.9 * (drops > 4 and internet == "fiber")
        z += 1.4 * (calls >= 2 and tenure < 12) - 1.1 * (contract == "two_year" and bill < 45)
        churn = int(rng.random() < 1 / (1 + math.exp(-1.6 * z)))
        rows.append([tenure, contract, internet, calls, round(usage, 2), round(bill, 2), drops, churn])
    with open(pathlib.Path(__file__).with_name("subscribers.csv"), "w", newline="") as fh:
        w = csv.writer(fh)
        w.writerow(["tenure", "contract", "internet", "support_calls", "usage_gb", "bill", "dropped", "churn"])
        w.writerows(rows)


if __name__ == "__main__":
    main()
