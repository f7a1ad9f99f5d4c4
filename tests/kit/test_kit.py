import pytest
import redis
from bson import ObjectId
from django.conf import settings as live
from django.db import connection, transaction

from accounts.actor import Actor
from documents.models import Tag
from kit import jobs
from kit.ids import is_id, new_id, preassign_ids
from kit.rows import statistics
from kit.rows.models import fold_case
from kit.rows.sealing import seal, unseal


def test_an_id_is_24_lowercase_hex_characters():
    assert is_id(new_id()) and is_id(str(ObjectId()))
    assert not any(is_id(value) for value in ("", "X" * 24, new_id().upper() + "a", None, 7, new_id() + "\n"))


def test_folding_knows_more_than_ascii():
    assert fold_case("  Rechnung ÜBER Straße ") == fold_case("rechnung über STRASSE")


def test_a_sealed_text_opens_only_with_the_same_key(settings):
    sealed = seal("hunter2")
    assert "hunter2" not in sealed and unseal(sealed) == "hunter2"
    settings.SECRET_KEY = "another"
    assert unseal(sealed) is None


@pytest.fixture
def waiting_jobs():
    """How many messages the reading queue of the real broker holds."""
    broker = redis.Redis.from_url(live.REDIS_URL)
    key = f"docrouter:{jobs.Job.READ_DOCUMENT.queue}"
    broker.delete(key)
    return lambda: broker.llen(key)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_sent_from_a_transaction_that_rolls_back(waiting_jobs):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        jobs.enqueue(jobs.Job.READ_DOCUMENT, new_id())
        _ = 1 / 0
    assert waiting_jobs() == 0
    with transaction.atomic():
        jobs.enqueue(jobs.Job.READ_DOCUMENT, new_id())
        assert waiting_jobs() == 0
    assert waiting_jobs() == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL does this by itself")
def test_sqlite_learns_how_its_rows_are_spread(actor: Actor) -> None:
    for number in range(20):
        Tag.objects.create(organization=actor.organization, name=str(number))
    statistics.keep()
    with connection.cursor() as cursor:
        cursor.execute("SELECT stat FROM sqlite_stat1 WHERE tbl = 'documents_tag'")
        assert cursor.fetchone()[0].startswith("20 ")


def test_foreseen_ids_are_given_first_and_new_ones_after() -> None:
    with preassign_ids(["a" * 24]) as foreseen:
        ids = [new_id(), new_id()]
    assert ids == foreseen and ids[0] == "a" * 24 and ids[1] != ids[0]
    assert new_id() not in foreseen
