"""Inverse dynamics of a two-link arm: joint state -> joint torques."""
import argparse

import torch

from invdyn.callbacks import BestEpoch, Printer
from invdyn.dataset import ArmData
from invdyn.networks import TorqueNet, initialise
from invdyn.settings import Settings
from invdyn.training.fit import fit, rms_error


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--settings", default="arm.ini")
    ap.add_argument("--seed", type=int)
    opts = ap.parse_args()

    st = Settings.read(opts.settings)
    torch.manual_seed(st.seed if opts.seed is None else opts.seed)

    data = ArmData(st.log_file)
    net = TorqueNet(data.n_in, data.n_out, st.width, st.depth)
    initialise(net, st.init_scheme, **st.init_args)

    best = BestEpoch()
    fit(net, data, st, callbacks=[Printer(every=st.epochs // 8), best])

    err, r2 = rms_error(net, data, "test")
    print(f"best validation epoch {best.epoch}")
    print(f"test rms torque error {err[0]:.3f} / {err[1]:.3f} Nm, R2 {r2:.3f}")


if __name__ == "__main__":
    main()
