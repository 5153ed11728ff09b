package dev.understudy.relay.config;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How one kind of setting is written, and what is said when it is written wrong.
 *
 * @param expected completes the message {@code value (expected: …)}
 * @param parse turns the text into the value; throws {@link IllegalArgumentException} when it can't
 * @param placeholder a valid value that stands in after a problem, so that the reading can go on and find the others
 */
public record Value<T>(String expected, Function<String, T> parse, T placeholder) {
    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,12})\\s*([A-Za-z]*)");

    /** Any text that is not blank. */
    public static Value<String> text() {
        return new Value<>("text", raw -> check(raw, !raw.isBlank()), "placeholder");
    }

    /** Any text, also none. */
    public static Value<String> anyText() {
        return new Value<>("text", raw -> raw, "");
    }

    /** {@code true} or {@code false}. */
    public static Value<Boolean> flag() {
        return new Value<>(
                "true or false",
                raw -> Boolean.valueOf(check(raw, raw.equals("true") || raw.equals("false"))),
                Boolean.FALSE);
    }

    /** A whole number from {@code least} to {@code most}. */
    public static Value<Integer> integer(int least, int most) {
        return new Value<>(
                least + " to " + most,
                raw -> {
                    int number = Integer.parseInt(raw);
                    check(raw, number >= least && number <= most);
                    return number;
                },
                least);
    }

    /**
     * {@code host:port}; an IPv6 address stands in brackets. Port 0 lets the system choose. The name isn't looked up.
     */
    public static Value<InetSocketAddress> address() {
        return new Value<>("host:port", Value::parseAddress, InetSocketAddress.createUnresolved("localhost", 0));
    }

    /** An amount of memory or disk in bytes: {@code 65536}, {@code 64KiB}, {@code 16MiB}, {@code 2GiB}; at least 1. */
    public static Value<Long> bytes() {
        return new Value<>("a size from 1, such as 512KiB, 16MiB or 2GiB", Value::parseBytes, 1L);
    }

    /** A size in bytes that may be nothing: 0, or as in {@link #bytes()}. */
    public static Value<Long> bytesOrNone() {
        return new Value<>(
                "0, or a size such as 512KiB, 16MiB or 2GiB", raw -> raw.equals("0") ? 0L : parseBytes(raw), 0L);
    }

    /** A time span: {@code 250ms}, {@code 5s}, {@code 10m}, {@code 1h}; longer than zero. */
    public static Value<Duration> duration() {
        return new Value<>("a time such as 250ms, 5s, 10m or 1h", Value::parseDuration, Duration.ofSeconds(1));
    }

    /** A time span as in {@link #duration()}, or none at all: {@code 0s}. */
    public static Value<Duration> durationOrNone() {
        return new Value<>(
                "a time such as 6h, or 0s",
                raw -> raw.equals("0s") || raw.equals("0") ? Duration.ZERO : parseDuration(raw),
                Duration.ZERO);
    }

    /** An {@code http} or {@code https} address, or nothing when {@code ""}. */
    public static Value<String> httpUrlOrEmpty() {
        return new Value<>(
                "an http:// or https:// address, or \"\"",
                raw -> {
                    if (!raw.isEmpty()) {
                        URI uri = URI.create(raw);
                        String scheme = uri.getScheme();
                        check(raw, uri.getHost() != null && ("http".equals(scheme) || "https".equals(scheme)));
                    }
                    return raw;
                },
                "");
    }

    /** One of an enum's names, in lower case. */
    public static <E extends Enum<E>> Value<E> choice(Class<E> type) {
        E[] constants = type.getEnumConstants();
        String names = Arrays.stream(constants).map(Value::nameOf).collect(Collectors.joining(", "));
        return new Value<>(
                "one of " + names,
                raw -> Arrays.stream(constants)
                        .filter(constant -> nameOf(constant).equals(raw))
                        .findFirst()
                        .orElseThrow(IllegalArgumentException::new),
                constants[0]);
    }

    private static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static InetSocketAddress parseAddress(String raw) {
        int colon = raw.lastIndexOf(':');
        check(raw, colon > 0);
        String host = raw.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        check(raw, bracketed || host.indexOf(':') < 0);
        int port = Integer.parseInt(raw.substring(colon + 1));
        return InetSocketAddress.createUnresolved(bracketed ? host.substring(1, host.length() - 1) : host, port);
    }

    private static Long parseBytes(String raw) {
        Matcher amount = AMOUNT.matcher(raw);
        check(raw, amount.matches());
        long factor = switch (amount.group(2)) {
            case "", "B" -> 1L;
            case "KiB", "K" -> 1L << 10;
            case "MiB", "M" -> 1L << 20;
            case "GiB", "G" -> 1L << 30;
            case "TiB", "T" -> 1L << 40;
            default -> 0L;
        };
        long number = Long.parseLong(amount.group(1));
        check(raw, factor > 0 && number > 0 && number <= Long.MAX_VALUE / factor);
        return number * factor;
    }

    private static Duration parseDuration(String raw) {
        Matcher amount = AMOUNT.matcher(raw);
        check(raw, amount.matches());
        long number = Long.parseLong(amount.group(1));
        check(raw, number > 0);
        return switch (amount.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> throw new IllegalArgumentException(raw);
        };
    }

    private static String check(String raw, boolean right) {
        if (!right) {
            throw new IllegalArgumentException(raw);
        }
        return raw;
    }
}
