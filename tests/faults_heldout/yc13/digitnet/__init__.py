import json

from .experiment import Experiment


def read_config(path):
    with open(path) as fh:
        return json.load(fh)


__all__ = ["Experiment", "read_config"]
