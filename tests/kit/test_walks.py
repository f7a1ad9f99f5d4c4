from kit.rows.walks import Walk


def test_it_gives_all_in_parts_and_begins_again_after_its_time():
    now = 0.0
    begun = []

    def begin():
        begun.append(now)
        return iter("abcde")

    walk = Walk(begin, 60.0, clock=lambda: now)
    assert [walk.next_part(2) for _ in range(4)] == [["a", "b"], ["c", "d"], ["e"], []]
    now = 60.0
    assert walk.next_part(2) == ["a", "b"] and begun == [0.0, 60.0]
