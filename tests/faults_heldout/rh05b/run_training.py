import json

import torch

from har.model import ActivityNet
from har.recordings import sessions
from har.trainer import Trainer

with open("experiment.json") as f:
    exp = json.load(f)

if __name__ == "__main__":
    torch.manual_seed(exp["seed"])
    train = sessions("recordings", exp["train"])
    test = sessions("recordings", exp["test"])
    print(f"train windows {len(train)}, test windows {len(test)}")
    Trainer(ActivityNet(**exp["model"]), train, test, **exp["optim"]).run()
