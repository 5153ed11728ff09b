package dev.understudy.agent.weave;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One woven class: the number of its gate and its methods' probes. For any threads. */
final class WovenClass {
    final int gate;
    private final String name;
    private final Map<String, Integer> probes = new LinkedHashMap<>();
    /** Whether it was given an {@link OwnGate} when it was loaded, which it keeps. */
    volatile boolean ownGate;

    private @Nullable Supplier<List<Numbered.Method>> unread;
    private List<Numbered.Method> kept = List.of();
    private int first;

    WovenClass(String name, int gate) {
        this.name = name;
        this.gate = gate;
    }

    String name() {
        return name;
    }

    synchronized boolean isNew() {
        return probes.isEmpty() && unread == null;
    }

    /** Its methods were kept; their probes are numbered from {@code first} on. */
    synchronized void keep(int first, Supplier<List<Numbered.Method>> methods) {
        this.first = first;
        this.unread = methods;
    }

    /** One of those. */
    synchronized Numbered.Method kept(int index) {
        read();
        return kept.get(index);
    }

    @Nullable
    synchronized Integer probe(String method) {
        read();
        return probes.get(method);
    }

    synchronized void add(String method, int probe) {
        probes.put(method, probe);
    }

    private void read() {
        if (unread == null) {
            return;
        }
        kept = unread.get();
        unread = null;
        int probe = first;
        for (Numbered.Method method : kept) {
            probes.put(method.name + method.descriptor, probe++);
        }
    }
}
