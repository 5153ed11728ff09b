package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.sidecar.config.ListenerConfig.Framing;
import dev.understudy.sidecar.tee.Sampling;
import dev.understudy.sidecar.tee.TeeMode;

/**
 * What of a listener's input is copied from the start.
 *
 * @param mode what the switch stands at before anybody turns it
 */
public record TeeConfig(TeeMode mode, Sampling sampling) {
    /** On, and everything. */
    public static TeeConfig defaults() {
        return new TeeConfig(TeeMode.ON, Sampling.ALL);
    }

    /** Reads {@code tee} and {@code sample} of a listener. */
    static TeeConfig read(Section listener, Framing framing) {
        return new TeeConfig(
                listener.optional("tee", Value.choice(TeeMode.class), TeeMode.ON),
                SampleSection.read(listener.section("sample"), framing));
    }
}
