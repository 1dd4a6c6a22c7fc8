"""Which day it is: the only module that asks."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime

from failure_matrix.errors import BadConfiguration


def today() -> date:
    """The day on which acceptances expire or don't: now, or SOURCE_DATE_EPOCH so that a run can be repeated.

    Raises `BadConfiguration` where SOURCE_DATE_EPOCH is no number of seconds since 1970.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC).date()
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date()
    except (ValueError, OverflowError, OSError) as reason:
        raise BadConfiguration(f"SOURCE_DATE_EPOCH is `{epoch}`; seconds since 1970 are expected.") from reason
