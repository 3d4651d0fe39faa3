"""Pump failures from sensor readings.  usage: python main.py [key=value ...]"""
import sys

from pump.config import Settings
from pump.run import Run

if __name__ == "__main__":
    Run(Settings.from_cli(sys.argv[1:])).execute()
