"""Human activity recognition from a wrist accelerometer."""
