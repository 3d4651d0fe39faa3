import numpy as np

NAMES = ["swipe_left", "swipe_right", "raise", "circle", "shake"]


def record(kind, rng, steps=48):
    """Wrist accelerometer, three axes (x to the right, y up, z away from the body)."""
    t = np.linspace(0, 1, steps)
    start, width, amp = rng.uniform(0.15, 0.35), rng.uniform(0.3, 0.5), rng.uniform(0.7, 1.4)
    phase = np.clip((t - start) / width, 0, 1)
    pulse = amp * np.sin(2 * np.pi * phase)
    a = np.zeros((3, steps))
    if kind == "swipe_left":
        a[0] = -pulse
    elif kind == "swipe_right":
        a[0] = pulse
    elif kind == "raise":
        a[1], a[2] = pulse, 0.4 * pulse
    elif kind == "circle":
        a[0], a[1] = pulse, amp * np.cos(2 * np.pi * phase) * (phase > 0) * (phase < 1)
    else:
        a[0] = amp * np.sin(2 * np.pi * rng.uniform(5, 7) * t + rng.uniform(0, 6)) * (phase > 0) * (phase < 1)
    tilt = rng.normal(0, 0.2)
    x, y = a[0].copy(), a[1].copy()
    a[0], a[1] = np.cos(tilt) * x - np.sin(tilt) * y, np.sin(tilt) * x + np.cos(tilt) * y
    return a + rng.normal(0, 0.25, a.shape)


def recordings(n, rng):
    y = rng.integers(0, len(NAMES), n)
    return np.stack([record(NAMES[k], rng) for k in y]).astype(np.float32), y
