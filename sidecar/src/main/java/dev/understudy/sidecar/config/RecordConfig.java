package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;

/**
 * Where recordings of a running sidecar go.
 *
 * @param directory made if it isn't there; "" if nothing can be recorded
 * @param maxSize bytes that one may grow to
 * @param observations whether what the ranking of suspects rests on is recorded there, from the start
 */
public record RecordConfig(String directory, long maxSize, boolean observations) {
    private static final long LEAST = 1 << 20;

    public RecordConfig {
        if (maxSize < LEAST) {
            throw new IllegalArgumentException("max-size: " + maxSize + " (expected: at least 1MiB)");
        }
        if (observations && directory.isEmpty()) {
            throw new IllegalArgumentException("observations: true (expected: a directory beside it)");
        }
    }

    /** One that can't record. */
    public static RecordConfig defaults() {
        return new RecordConfig("", 1L << 30, false);
    }

    static RecordConfig read(Section section) {
        RecordConfig defaults = defaults();
        return new RecordConfig(
                section.optional("directory", Value.anyText(), defaults.directory),
                section.optional("max-size", Value.bytes(), defaults.maxSize),
                section.optional("observations", Value.flag(), defaults.observations));
    }
}
