import sys

import torch

from segment.config import load
from segment.engine import Engine
from segment.scans import ScanFolder
from segment.unet import SmallUNet


def main(recipe_path):
    recipe = load(recipe_path)
    torch.manual_seed(recipe["seed"])
    train, valid = ScanFolder("scans", "train"), ScanFolder("scans", "valid")
    print(f"{len(train)} + {len(valid)} scans")
    Engine(SmallUNet(recipe["net"]["base"]), recipe).fit(train, valid, recipe["schedule"]["batch"])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "recipe.yaml")
