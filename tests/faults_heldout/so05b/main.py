import argparse
from dataclasses import fields

from recsys import Config, Trainer

parser = argparse.ArgumentParser(description="music recommender, pairwise ranking")
for f in fields(Config):
    parser.add_argument("--" + f.name, type=f.type, default=f.default)

if __name__ == "__main__":
    Trainer(Config(**vars(parser.parse_args()))).fit()
