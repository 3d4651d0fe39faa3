import tomllib
from dataclasses import dataclass


@dataclass(frozen=True)
class DataCfg:
    archive: str
    val_meters: list


@dataclass(frozen=True)
class NetCfg:
    channels: int
    hidden: int
    dropout: float


@dataclass(frozen=True)
class FitCfg:
    seed: int
    epochs: int
    batch_size: int
    lr: float


@dataclass(frozen=True)
class ReaderCfg:
    data: DataCfg
    transform: dict
    net: NetCfg
    fit: FitCfg


def read_config(path):
    with open(path, "rb") as f:
        raw = tomllib.load(f)
    return ReaderCfg(
        data=DataCfg(**raw["data"]),
        transform=raw["transform"],
        net=NetCfg(**raw["net"]),
        fit=FitCfg(**raw["fit"]),
    )
