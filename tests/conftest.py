"""What all tests share."""

from hypothesis import HealthCheck, settings

# Whether a test passes may not depend on how busy the machine is.
settings.register_profile("table", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("table")
