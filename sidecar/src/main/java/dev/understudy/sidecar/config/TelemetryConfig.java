package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;

/**
 * Where traces and metrics go.
 *
 * @param otlp base address of an OTLP/HTTP receiver, or ""
 * @param tracePage address of a trace's page, with {@value #TRACE} where its id goes, or ""; the console links to it
 * @param traces whether each exchange is a trace, told to the debug JVM in a {@code traceparent}
 */
public record TelemetryConfig(String otlp, String service, boolean traces, String tracePage) {
    private static final String TRACE = "{trace}";

    /** What holds where nothing is set. */
    public static TelemetryConfig defaults() {
        return new TelemetryConfig("", "understudy-sidecar", true, "");
    }

    static TelemetryConfig read(Section section) {
        TelemetryConfig defaults = TelemetryConfig.defaults();
        return new TelemetryConfig(
                section.optional("otlp", Value.httpUrlOrEmpty(), defaults.otlp()),
                section.optional("service", Value.text(), defaults.service()),
                section.optional("traces", Value.flag(), defaults.traces()),
                section.optional("trace-page", page(), defaults.tracePage()));
    }

    /** The page of a trace; "" if none is set. */
    public String pageOf(String trace) {
        return tracePage.replace(TRACE, trace);
    }

    private static Value<String> page() {
        Value<String> url = Value.httpUrlOrEmpty();
        return new Value<>(
                "an http:// or https:// address with " + TRACE + " where the trace's id goes, or \"\"",
                raw -> {
                    String address = url.parse().apply(raw.replace(TRACE, "0"));
                    if (!address.isEmpty() && !raw.contains(TRACE)) {
                        throw new IllegalArgumentException();
                    }
                    return raw;
                },
                "");
    }
}
