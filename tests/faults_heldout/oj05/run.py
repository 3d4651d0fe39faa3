import sys

import yaml

from trainer import Trainer

path = sys.argv[1] if len(sys.argv) > 1 else "config.yaml"
with open(path) as f:
    config = yaml.safe_load(f)
Trainer(config).fit()
