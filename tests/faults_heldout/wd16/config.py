from dataclasses import dataclass


@dataclass(frozen=True)
class A2CConfig:
    n_envs: int = 32
    rollout: int = 16
    updates: int = 300
    gamma: float = 0.99
    lam: float = 0.95
    actor_lr: float = 3e-3
    critic_lr: float = 5e-3
    entropy: float = 0.005
    clip: float = 1.0
    hidden: int = 32
    max_steps: int = 200
    seed: int = 1
