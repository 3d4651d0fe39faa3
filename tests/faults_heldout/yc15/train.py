"""Implicit-feedback recommender: `python train.py [--profile default]`."""
import argparse
import configparser
from pathlib import Path

from recsys.trainer import BPRTrainer, Params

HERE = Path(__file__).resolve().parent

parser = argparse.ArgumentParser()
parser.add_argument("--profile", default="default")
args = parser.parse_args()

ini = configparser.ConfigParser()
ini.read(HERE / "recsys.cfg")
trainer = BPRTrainer(Params.from_section(ini[args.profile]), HERE / "data" / "plays.csv")
trainer.fit()
trainer.summary()
