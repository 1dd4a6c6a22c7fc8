"""Failure matrices that can't lie: read from YAML, checked, proven, run against PostgreSQL, rendered into a site."""
