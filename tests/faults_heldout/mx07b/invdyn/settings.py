from configparser import ConfigParser
from dataclasses import dataclass, field


@dataclass
class Settings:
    log_file: str
    width: int
    depth: int
    epochs: int
    batch_size: int
    lr: float
    seed: int = 0
    init_scheme: str = "xavier"
    init_args: dict = field(default_factory=dict)

    @classmethod
    def read(cls, path):
        ini = ConfigParser()
        if not ini.read(path):
            raise FileNotFoundError(path)
        init = dict(ini["init"])
        return cls(
            log_file=ini["data"]["log_file"],
            width=ini.getint("network", "width"),
            depth=ini.getint("network", "depth"),
            epochs=ini.getint("training", "epochs"),
            batch_size=ini.getint("training", "batch_size"),
            lr=ini.getfloat("training", "lr"),
            seed=ini.getint("training", "seed"),
            init_scheme=init.pop("scheme"),
            init_args={k: float(v) for k, v in init.items()},
        )
