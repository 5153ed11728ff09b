package dev.understudy.sidecar.config;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.config.YamlFile;
import dev.understudy.sidecar.config.ListenerConfig.Framing;
import dev.understudy.sidecar.tee.Sampling;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what is sampled: the section {@code sample} of a listener, and what the control port is sent, alike. */
public final class SampleSection {
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)\\s*%");

    private SampleSection() {}

    /**
     * Reads a text, YAML or JSON.
     *
     * @throws IllegalArgumentException if something is wrong; the message says what, and what is expected
     */
    public static Sampling read(String text, Framing framing) {
        try {
            return YamlFile.read("sample", text, top -> read(top, framing));
        } catch (ConfigException wrong) {
            throw new IllegalArgumentException(String.join("; ", wrong.problems()), wrong);
        }
    }

    /** What is wrong becomes a problem of the section. */
    static Sampling read(Section section, Framing framing) {
        Sampling sampling = section.build(SampleSection::all, Sampling.ALL);
        if (framing != Framing.REDIS && !sampling.keys().isEmpty()) {
            section.problem("keys " + sampling.keys() + " (expected: none, unless protocol is redis)");
        }
        if (framing == Framing.POSTGRES && sampling.requests() < 1) {
            section.problem("requests " + sampling.requests() * 100
                    + "% (expected: 100% with protocol postgres, whose requests need each other: choose connections)");
        }
        if (framing != Framing.HTTP && !(sampling.paths().isEmpty() && sampling.header() == null)) {
            section.problem("by paths or a header (expected: neither, unless protocol is http)");
        }
        return sampling;
    }

    private static Sampling all(Section section) {
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
