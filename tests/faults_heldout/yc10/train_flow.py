import argparse
from pathlib import Path

import torch

from flows.config import FlowConfig
from flows.fit import Fitter
from flows.model import build_flow
from flows.sensors import sensor_splits


def main():
    ap = argparse.ArgumentParser(description="density model of sensor measurements")
    ap.add_argument("--config", type=Path, default=Path(__file__).parent / "flow.ini")
    cfg = FlowConfig.from_ini(ap.parse_args().config)
    torch.manual_seed(cfg.seed)
    splits, gaussian_nll = sensor_splits(cfg.seed)
    flow = build_flow(splits["train"].shape[1], cfg)
    fitter = Fitter(flow, splits, cfg)
    fitter.run()
    print(f"test nll {fitter.nll('test'):.3f} nats/sample (full-covariance Gaussian {gaussian_nll:.3f})")
    print("sample std", [round(v, 2) for v in flow.sample(500).std(0).tolist()])


if __name__ == "__main__":
    main()
