"""Crop type from Sentinel-2 index series of one season, field by field.

usage: train.py [--config cropmap.toml] [--seed N]
"""
import argparse
import tomllib

import torch

from cropmap.factory import build_encoder
from cropmap.fields import FieldSeries
from cropmap.classifier import CropClassifier
from cropmap.session import Session


def main():
    ap = argparse.ArgumentParser(usage=__doc__)
    ap.add_argument("--config", default="cropmap.toml")
    ap.add_argument("--seed", type=int)
    args = ap.parse_args()
    with open(args.config, "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(cfg["seed"] if args.seed is None else args.seed)

    fields = FieldSeries(cfg["data"]["fields"], cfg["data"]["test_tiles"])
    encoder = build_encoder(fields.n_bands, cfg["encoder"])
    model = CropClassifier(encoder, len(fields.crops))
    session = Session(model, fields, **cfg["training"])
    session.run()

    loss, acc, per_crop = session.score(fields.test)
    print(f"held-out tiles: loss {loss:.4f}  accuracy {acc:.3f}")
    for crop, a in zip(fields.crops, per_crop):
        print(f"  {crop:<12s} {a:.2f}")


if __name__ == "__main__":
    main()
