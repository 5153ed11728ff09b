package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;

/**
 * Where traces and metrics go.
 *
 * @param otlp base address of an OTLP/HTTP receiver, or ""
 * @param traces whether each exchange is a trace, told to the debug JVM in a {@code traceparent}
 */
public record TelemetryConfig(String otlp, String service, boolean traces) {
    /** What holds where nothing is set. */
    public static TelemetryConfig defaults() {
        return new TelemetryConfig("", "understudy-sidecar", true);
    }

    static TelemetryConfig read(Section section) {
        TelemetryConfig defaults = TelemetryConfig.defaults();
        return new TelemetryConfig(
                section.optional("otlp", Value.httpUrlOrEmpty(), defaults.otlp()),
                section.optional("service", Value.text(), defaults.service()),
                section.optional("traces", Value.flag(), defaults.traces()));
    }
}
