import json
import sys

import torch

from lm.data import CharText
from lm.model import CharLSTM
from lm.trainer import Trainer

if __name__ == "__main__":
    cfg = json.load(open(sys.argv[1] if len(sys.argv) > 1 else "config.json"))
    torch.manual_seed(cfg["seed"])
    text = CharText(cfg["text"])
    print(f"{len(text.train)} training characters, {len(text.chars)} symbols")
    Trainer(CharLSTM(len(text.chars)), text, cfg).fit()
