"""Writes when each test began and ended into pytest's XML."""

import time

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    item.user_properties.append(("begun", time.time()))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    try:
        return (yield)
    finally:
        item.user_properties.append(("ended", time.time()))
