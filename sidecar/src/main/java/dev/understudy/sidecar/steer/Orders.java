package dev.understudy.sidecar.steer;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What should hold in every debug JVM, kind by kind, and how often that has changed.
 *
 * <p>It says a state, not steps, so that an agent that starts later comes to the same one. Lives as long as the
 * sidecar. For any threads, guarded by this.
 */
public final class Orders {
    private Map<String, Object> kinds = Map.of();
    private long revision;

    /** What is wanted at one moment; the values go out as JSON and mustn't change. */
    public record Sheet(long revision, Map<String, Object> kinds) {}

    /** What is wanted now. */
    public synchronized Sheet sheet() {
        return new Sheet(revision, kinds);
    }

    /** How often it has changed. */
    public synchronized long revision() {
        return revision;
    }

    /**
     * Orders one kind anew; what is ordered already changes nothing.
     *
     * @param wanted an object as maps, lists, texts and numbers; null if nothing of the kind is wanted any more
     * @return the revision that holds now
     */
    public synchronized long order(String kind, @Nullable Object wanted) {
        if (!Objects.equals(kinds.get(kind), wanted)) {
            Map<String, Object> changed = new TreeMap<>(kinds);
            if (wanted == null) {
                changed.remove(kind);
            } else {
                changed.put(kind, wanted);
            }
            kinds = Collections.unmodifiableMap(changed);
            revision++;
        }
        return revision;
    }
}
