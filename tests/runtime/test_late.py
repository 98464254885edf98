"""What stands for an object until something of it is asked."""

import threading

from tilth.runtime.late import late, made


class Kettle:
    def __init__(self):
        self.boiled = 0

    def boil(self):
        self.boiled += 1
        return self.boiled


def test_nothing_is_made_before_it_is_asked_for():
    makes = []
    one = late(lambda: makes.append(1) or Kettle())
    assert made(one) is None
    assert not makes


def test_it_answers_as_the_object_that_is_made_once():
    makes = []
    one = late(lambda: makes.append(1) or Kettle())
    assert one.boil() == 1
    assert one.boil() == 2
    assert made(one).boiled == 2
    assert len(makes) == 1


def test_threads_that_ask_at_once_get_one_object():
    makes = []
    ready = threading.Barrier(8)

    def make():
        makes.append(1)
        return Kettle()

    one = late(make)

    def ask():
        ready.wait()
        one.boil()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(makes) == 1
    assert made(one).boiled == 8


def test_an_object_that_is_there_stands_for_itself():
    kettle = Kettle()
    assert made(kettle) is kettle
