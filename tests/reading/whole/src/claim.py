"""The code that runs the statement."""

CLAIM = """
    -- matrix: claim
    update job
      set state = 'running', epoch = epoch + 1
    where id = %(job)s

      and state = 'ready'
    -- matrix: claim
"""
