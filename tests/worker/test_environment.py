import threading

import pytest
from django.conf import settings
from django.core.cache import cache

from accounts.models import User


def test_it_keeps_everything_in_a_folder_of_its_own():
    assert "docrouter-tests-" in str(settings.DATA_DIR)


@pytest.mark.servers
def test_it_has_a_redis_that_answers():
    cache.set("asked", "answered", 5)
    assert cache.get("asked") == "answered"


@pytest.mark.django_db(transaction=True)
def test_it_lets_threads_see_the_same_database():
    seen: list[int] = []
    User.objects.create_user("a@example.com", "long enough")
    thread = threading.Thread(target=lambda: seen.append(User.objects.count()))
    thread.start()
    thread.join()
    assert seen == [1]
