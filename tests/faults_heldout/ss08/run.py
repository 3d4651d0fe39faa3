import argparse
import os

from forecast import Config, Engine

if __name__ == "__main__":
    root = os.path.dirname(os.path.abspath(__file__))
    ap = argparse.ArgumentParser()
    ap.add_argument("config", nargs="?", default=os.path.join(root, "hourly.json"))
    Engine(Config.load(ap.parse_args().config), root).run()
