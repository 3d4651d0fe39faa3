import csv

import numpy as np

NUMERIC = ("driver_age", "vehicle_age", "power_kw")


def load(path):
    with open(path, newline="") as fh:
        rows = list(csv.DictReader(fh))
    col = lambda k, t=float: np.array([t(r[k]) for r in rows])
    num = np.stack([col(k) for k in NUMERIC], 1)
    num[:, 2] = np.log(num[:, 2])
    body = col("body", str)
    onehot = (body[:, None] == np.unique(body)[None]).astype(float)
    return {"region": col("region", str), "num": num, "body": onehot, "years": col("exposure_years"),
            "claims": col("claims")}


def assemble(d, encoder, scale=None):
    """Returns the feature matrix; scale is None for the training part."""
    if scale is None:
        enc = encoder.fit_transform(d["region"], d["claims"], d["years"])
        scale = (d["num"].mean(0), d["num"].std(0), enc.std())
    else:
        enc = encoder.transform(d["region"])
    mu, sd, es = scale
    return np.concatenate([(d["num"] - mu) / sd, (enc / es)[:, None], d["body"]], 1).astype(np.float32), scale
