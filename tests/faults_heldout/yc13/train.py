from pathlib import Path

from digitnet import Experiment, read_config

if __name__ == "__main__":
    config = read_config(Path(__file__).with_name("config.json"))
    experiment = Experiment(config)
    experiment.train()
    for which in ("raw", "ema"):
        print(f"test accuracy ({which} weights): {experiment.test(which):.4f}")
