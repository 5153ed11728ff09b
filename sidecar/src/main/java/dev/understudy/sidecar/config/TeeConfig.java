package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.sidecar.tee.Sampling;
import dev.understudy.sidecar.tee.TeeMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a listener's input is copied from the start.
 *
 * @param mode what the switch stands at before anybody turns it
 */
public record TeeConfig(TeeMode mode, Sampling sampling) {
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)\\s*%");

    /** On, and everything. */
    public static TeeConfig defaults() {
        return new TeeConfig(TeeMode.ON, Sampling.ALL);
    }

    /** Reads {@code tee} and {@code sample} of a listener. */
    static TeeConfig read(Section listener) {
        return new TeeConfig(
                listener.optional("tee", Value.choice(TeeMode.class), TeeMode.ON),
                listener.section("sample").build(TeeConfig::sampling, Sampling.ALL));
    }

    private static Sampling sampling(Section section) {
        String header = section.optional("header", Value.anyText(), "");
        return new Sampling(
                section.optional("connections", share(), 1.0),
                section.optional("requests", share(), 1.0),
                header.isEmpty() ? null : header,
                section.listed("paths", path()),
                section.listed("keys", prefix()));
    }

    private static Value<Double> share() {
        return new Value<>(
                "0% to 100%",
                raw -> {
                    Matcher percent = PERCENT.matcher(raw);
                    double share = percent.matches() ? Double.parseDouble(percent.group(1)) / 100 : 2;
                    if (share > 1) {
                        throw new IllegalArgumentException(raw);
                    }
                    return share;
                },
                1.0);
    }

    private static Value<String> prefix() {
        return new Value<>(
                "the beginning of a key",
                raw -> {
                    if (raw.isEmpty()) {
                        throw new IllegalArgumentException(raw);
                    }
                    return raw;
                },
                "key");
    }

    private static Value<String> path() {
        return new Value<>(
                "a path that begins with /",
                raw -> {
                    if (!raw.startsWith("/")) {
                        throw new IllegalArgumentException(raw);
                    }
                    return raw;
                },
                "/");
    }
}
