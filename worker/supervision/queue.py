"""Tasks that a worker had taken and never acknowledged. Right only while no worker lives."""

from __future__ import annotations

from typing import Any

from celery import current_app


def put_back_unacknowledged() -> int:
    """Puts each back on its queue at once instead of after the broker's visibility timeout; returns how many."""
    with current_app.connection_for_write() as connection:
        channel: Any = connection.default_channel
        with channel.conn_or_acquire() as client:
            tags = client.zrange(channel.qos.unacked_index_key, 0, -1)
        for tag in tags:
            channel.qos.restore_by_tag(tag.decode() if isinstance(tag, bytes) else tag)
        return len(tags)
