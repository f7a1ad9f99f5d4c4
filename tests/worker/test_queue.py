import pytest
from celery import current_app

from kit import jobs
from worker.supervision.queue import put_back_unacknowledged


def take_and_leave(connection):
    """A worker takes the message and is killed: nothing is acknowledged, nothing restored."""
    message = connection.SimpleQueue(jobs.Job.READ_DOCUMENT.queue).get(timeout=60)
    connection.default_channel.qos.restore_at_shutdown = False
    return message.payload[0]


@pytest.fixture(autouse=True)
def empty_queue():
    with current_app.connection_for_write() as connection:
        connection.SimpleQueue(jobs.Job.READ_DOCUMENT.queue).clear()


@pytest.mark.servers
def test_it_puts_back_what_a_killed_worker_had_taken():
    jobs.send(jobs.Job.READ_DOCUMENT, "6560000000000000000000aa")
    left = current_app.connection_for_read()
    assert take_and_leave(left) == ["6560000000000000000000aa"]
    assert put_back_unacknowledged() == 1
    with current_app.connection_for_read() as connection:
        message = connection.SimpleQueue(jobs.Job.READ_DOCUMENT.queue).get(timeout=60)
        message.ack()
        assert message.payload[0] == ["6560000000000000000000aa"]
    assert put_back_unacknowledged() == 0
