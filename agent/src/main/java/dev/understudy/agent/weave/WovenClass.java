package dev.understudy.agent.weave;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One woven class: the number of its gate and its methods' probes.
 *
 * <p>Guarded by the {@link ProbeDirectory} it belongs to.
 */
final class WovenClass {
    final int gate;
    private final String name;
    private final Map<String, Integer> probes = new LinkedHashMap<>();
    /** Whether it was given an {@link OwnGate} when it was loaded, which it keeps. */
    boolean ownGate;

    WovenClass(String name, int gate) {
        this.name = name;
        this.gate = gate;
    }

    String name() {
        return name;
    }

    @Nullable
    Integer probe(String method) {
        return probes.get(method);
    }

    void add(String method, int probe) {
        probes.put(method, probe);
    }
}
