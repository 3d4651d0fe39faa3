import configparser
from dataclasses import dataclass


@dataclass
class FlowConfig:
    layers: int
    hidden: int
    scale_limit: float
    seed: int
    steps: int
    batch_size: int
    lr: float
    noise: float
    clip: float
    report_every: int
    ema_decay: float

    @classmethod
    def from_ini(cls, path):
        ini = configparser.ConfigParser()
        with open(path) as fh:
            ini.read_file(fh)
        values = {**ini["flow"], **ini["fit"]}
        return cls(**{k: t(values[k]) for k, t in cls.__annotations__.items()})
