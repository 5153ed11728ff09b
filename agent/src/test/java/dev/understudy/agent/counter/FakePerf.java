package dev.understudy.agent.counter;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A kernel that refuses what a test wants, and counts what is open. */
final class FakePerf implements Perf {
    final Set<Integer> open = new HashSet<>();
    final Set<CounterEvent> absent = EnumSet.noneOf(CounterEvent.class);
    int error;
    boolean kernelToo = true;
    boolean shared;
    boolean cutShort;
    /** What was opened: the event, its leader, and whether the kernel is left out. */
    final List<String> opened = new ArrayList<>();

    private int next = 3;

    @Override
    public synchronized int open(CounterEvent event, int leader, boolean userOnly) {
        if (tried(event, userOnly) != 0) {
            return -1;
        }
        open.add(++next);
        opened.add(event + " of " + leader + (userOnly ? " outside" : ""));
        return next;
    }

    @Override
    public int tried(CounterEvent event, boolean userOnly) {
        if (!userOnly && !kernelToo) {
            return 13;
        }
        return absent.contains(event) ? error : 0;
    }

    @Override
    public long read(int leader, ByteBuffer into, long address) {
        into.putLong(8, 100).putLong(16, shared ? 50 : 100);
        for (int at = 24; at < into.capacity(); at += 8) {
            into.putLong(at, at);
        }
        return cutShort ? into.capacity() - 8 : into.capacity();
    }

    @Override
    public long address(ByteBuffer direct) {
        return 0;
    }

    @Override
    public synchronized void close(int descriptor) {
        open.remove(descriptor);
    }
}
