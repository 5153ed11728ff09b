package dev.understudy.it.divergence;

import dev.understudy.divergence.wire.http.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Kinds of changes that make a reply say something else. */
enum Mutation {
    NUMBER,
    NUMBER_FORM,
    ROUNDING,
    STRING,
    TIME,
    ID,
    /** The value of another record, which both sides have shown elsewhere. */
    ANOTHER_RECORD,
    /** Two ids of one reply have changed places. */
    SWAPPED_IDS,
    BOOLEAN,
    TYPE,
    NULL,
    EMPTY,
    MISSING_MEMBER,
    RENAMED_MEMBER,
    EXTRA_MEMBER,
    MISSING_ITEM,
    EXTRA_ITEM,
    ITEM_ORDER,
    WRONG_ROW,
    STATUS,
    HEADER_VALUE,
    HEADER_MISSING,
    HEADER_EXTRA,
    CONTENT_TYPE,
    ENCODING,
    LINE,
    BYTE,
    TRUNCATED,
    CUT_OFF,
    NO_BODY;

    /** Headers that say nothing about the content. */
    private static final Set<String> FRAMING =
            Set.of("date", "connection", "keep-alive", "transfer-encoding", "content-type", "set-cookie");

    private static final List<Mutation> ALL = List.of(values());

    static Mutation any(Random random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private boolean isOfJson() {
        return compareTo(WRONG_ROW) <= 0;
    }

    /**
     * The changed reply; null if this kind doesn't fit it.
     *
     * @param noise names of members and headers whose values mean nothing
     */
    @Nullable
    Sample apply(Sample sample, Random random, Set<String> noise) {
        if (isOfJson()) {
            String text = sample.isJson() ? new JsonMutation(random, noise).apply(this, sample.text()) : null;
            return text == null ? null : sample.withBody(text);
        }
        byte[] body = sample.body();
        return switch (this) {
            case STATUS -> sample.withStatus(otherStatus(sample.status(), random));
            case HEADER_VALUE, HEADER_MISSING -> header(sample, random, noise);
            case HEADER_EXTRA -> {
                List<Header> headers = new ArrayList<>(sample.headers());
                headers.add(new Header("X-Extra-" + random.nextInt(100), "" + random.nextInt()));
                yield sample.withHeaders(headers);
            }
            case CONTENT_TYPE -> contentType(sample, random);
            case ENCODING -> {
                byte[] latin = sample.text().getBytes(StandardCharsets.ISO_8859_1);
                yield Arrays.equals(latin, body) ? null : sample.withBody(latin);
            }
            case LINE -> sample.isJson() ? null : line(sample, random);
            case BYTE -> flipped(sample, random, noise);
            case TRUNCATED ->
                body.length < 2 ? null : sample.withBody(Arrays.copyOf(body, 1 + random.nextInt(body.length - 1)));
            case CUT_OFF -> body.length < 2 ? null : sample.cut();
            case NO_BODY -> body.length == 0 ? null : sample.withBody(new byte[0]);
            default -> throw new IllegalStateException("" + this);
        };
    }

    private static String otherStatus(String line, Random random) {
        List<String> others =
                List.of("HTTP/1.1 200 OK", "HTTP/1.1 201 Created", "HTTP/1.1 404 Not Found", "HTTP/1.1 500 Oops");
        String other = others.get(random.nextInt(others.size()));
        return line.startsWith(other.substring(0, 12)) ? "HTTP/1.1 503 Service Unavailable" : other;
    }

    private @Nullable Sample header(Sample sample, Random random, Set<String> noise) {
        List<Header> headers = new ArrayList<>(sample.headers());
        List<Header> meant = headers.stream()
                .filter(header -> !FRAMING.contains(header.name().toLowerCase(Locale.ROOT)))
                .filter(header -> this == HEADER_MISSING || !noise.contains(header.name()))
                .toList();
        if (meant.isEmpty()) {
            return null;
        }
        int at = headers.indexOf(meant.get(random.nextInt(meant.size())));
        Header header = headers.remove(at);
        if (this == HEADER_VALUE) {
            headers.add(at, new Header(header.name(), header.value() + "x"));
        }
        return sample.withHeaders(headers);
    }

    /** Where values may mean nothing only what holds them together is changed. */
    private static @Nullable Sample flipped(Sample sample, Random random, Set<String> noise) {
        byte[] flipped = sample.body().clone();
        boolean coded = sample.header("Content-Encoding") != null;
        if (flipped.length == 0 || (!noise.isEmpty() && !sample.isJson() && !coded)) {
            return null;
        }
        int at = random.nextInt(flipped.length);
        while (!noise.isEmpty() && !coded && "{}[]:,\"".indexOf(flipped[at]) < 0) {
            at = random.nextInt(flipped.length);
        }
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        return sample.withBody(flipped);
    }

    private static @Nullable Sample contentType(Sample sample, Random random) {
        List<Header> headers = new ArrayList<>(sample.headers());
        boolean had = headers.removeIf(header -> header.is("Content-Type"));
        List<String> others = List.of("text/plain;charset=us-ascii", "application/octet-stream", "text/html");
        headers.add(new Header("Content-Type", others.get(random.nextInt(others.size())) + ";x=1"));
        return had ? sample.withHeaders(headers) : null;
    }

    private static @Nullable Sample line(Sample sample, Random random) {
        List<String> lines = new ArrayList<>(List.of(sample.text().split("\n", -1)));
        lines.removeIf(String::isBlank);
        if (lines.size() < 2) {
            return null;
        }
        String before = String.join("\n", lines);
        int at = random.nextInt(lines.size());
        switch (random.nextInt(4)) {
            case 0 -> lines.remove(at);
            case 1 -> lines.add(at, lines.get(random.nextInt(lines.size())));
            case 2 -> Collections.swap(lines, at, (at + 1) % lines.size());
            default -> lines.set(at, lines.get(at) + random.nextInt(10));
        }
        String after = String.join("\n", lines);
        return after.equals(before) ? null : sample.withBody(after);
    }
}
