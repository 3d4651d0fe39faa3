"""Learns the energy of two coupled masses from noisy measurements of their motion."""
import torch

from springs.fit import Fitter
from springs.network import HamiltonianNet
from springs.options import Options
from springs.physics import simulate


def main():
    options = Options()
    torch.manual_seed(options.seed)
    states, rates = simulate(options.trajectories + options.held_out, options.samples)
    rates = rates + options.noise * torch.randn_like(rates)
    flat = lambda t: t.reshape(-1, 4)
    train = flat(states[: options.trajectories]), flat(rates[: options.trajectories])
    held = flat(states[options.trajectories:]), flat(rates[options.trajectories:])

    model = HamiltonianNet(options.hidden)
    Fitter(model, train, held, options).run()
    print(f"variance of the measured rates {held[1].var().item():.3f}, noise floor {options.noise ** 2:.5f}")


if __name__ == "__main__":
    main()
