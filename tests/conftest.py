"""How many examples Hypothesis tries: a modest number, the same each time, in `make test`; 2,000 new ones in `make test-all`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("quick", max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("all", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("quick")
