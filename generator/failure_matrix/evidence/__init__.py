"""A matrix runs against PostgreSQL: scenarios, orders, the walk and mutants, and the record of what they showed.

Nothing here is imported unless evidence is asked for. This package is the only importer of psycopg.
"""
