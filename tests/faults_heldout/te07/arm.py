"""Two-link arm: joint torques from the state (rigid body equations)."""
import numpy as np

M1, M2, L1, L2, G = 1.4, 0.9, 0.5, 0.4, 9.81


def torques(q, dq, ddq):
    c2, s2 = np.cos(q[:, 1]), np.sin(q[:, 1])
    a = (M1 + M2) * L1 ** 2 + M2 * L2 ** 2 + 2 * M2 * L1 * L2 * c2
    b = M2 * L2 ** 2 + M2 * L1 * L2 * c2
    d = M2 * L2 ** 2
    h = M2 * L1 * L2 * s2
    g1 = (M1 + M2) * G * L1 * np.cos(q[:, 0]) + M2 * G * L2 * np.cos(q.sum(1))
    g2 = M2 * G * L2 * np.cos(q.sum(1))
    t1 = a * ddq[:, 0] + b * ddq[:, 1] - h * (2 * dq[:, 0] * dq[:, 1] + dq[:, 1] ** 2) + g1
    t2 = b * ddq[:, 0] + d * ddq[:, 1] + h * dq[:, 0] ** 2 + g2
    return np.stack([t1, t2], 1)


def sample(n, seed):
    r = np.random.default_rng(seed)
    q = r.uniform(-np.pi, np.pi, (n, 2))
    dq = r.normal(0, 1.5, (n, 2))
    ddq = r.normal(0, 4.0, (n, 2))
    tau = torques(q, dq, ddq) + r.normal(0, 0.1, (n, 2))
    x = np.concatenate([np.sin(q), np.cos(q), dq, ddq], 1)
    return x.astype("float32"), tau.astype("float32")
