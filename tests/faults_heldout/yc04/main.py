"""Predict the state of a lock controller from its event log."""
import argparse

from lockfsm.experiment import Experiment, ExperimentConfig


def parse_overrides(pairs):
    out = {}
    for p in pairs:
        k, v = p.split("=", 1)
        out[k] = type(getattr(ExperimentConfig, k))(v)
    return out


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("overrides", nargs="*", metavar="key=value")
    cfg = ExperimentConfig(**parse_overrides(ap.parse_args().overrides))
    exp = Experiment(cfg)
    exp.run()
    print("test accuracy", round(exp.accuracy("test"), 4))
