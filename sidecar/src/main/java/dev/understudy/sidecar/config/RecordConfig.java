package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;

/**
 * Where recordings of a running sidecar go.
 *
 * @param directory made if it isn't there; "" if nothing can be recorded
 * @param maxSize bytes that one may grow to
 */
public record RecordConfig(String directory, long maxSize) {
    private static final long LEAST = 1 << 20;

    public RecordConfig {
        if (maxSize < LEAST) {
            throw new IllegalArgumentException("max-size: " + maxSize + " (expected: at least 1MiB)");
        }
    }

    /** One that can't record. */
    public static RecordConfig defaults() {
        return new RecordConfig("", 1L << 30);
    }

    static RecordConfig read(Section section) {
        RecordConfig defaults = defaults();
        return new RecordConfig(
                section.optional("directory", Value.anyText(), defaults.directory),
                section.optional("max-size", Value.bytes(), defaults.maxSize));
    }
}
