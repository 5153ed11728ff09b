package dev.understudy.sidecar.report.ring;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One thing that the agent noted.
 *
 * @param number its place among all that were noted, from 1
 * @param kind what it is about
 * @param subject the method, or the reason of a decision; empty where it is about neither
 * @param micros when, in microseconds since 1970
 * @param figures by name, as they are printed; what wasn't measured is left out
 */
public record RingRecord(long number, Kind kind, String subject, long micros, Map<String, Object> figures) {
    private static final int THREW = 256;

    /** What a record is about. */
    public enum Kind {
        CALL,
        COST,
        STANCE,
        DECISION,
        DROPPED;

        /** In the words of the command. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether its subject is a method. */
        boolean isOfMethod() {
            return this == CALL || this == COST || this == STANCE;
        }
    }

    /** The kind by its code; null if no version has it. */
    static @Nullable Kind kind(int code) {
        int index = (code & ~THREW) - 1;
        return index < 0 || index >= Kind.values().length ? null : Kind.values()[index];
    }

    /** Whether its subject is a method. */
    public boolean isOfMethod() {
        return kind.isOfMethod();
    }

    /** What the fields mean. */
    static Map<String, Object> figures(Kind kind, int code, long a, long b, long c, long d, int e) {
        Map<String, Object> figures = new LinkedHashMap<>();
        switch (kind) {
            case CALL -> {
                figures.put("micros", a / 1e3);
                putIf(b >= 0, figures, "cpuMicros", b / 1e3);
                putIf(c >= 0, figures, "allocatedBytes", c);
                putIf(d != 0, figures, "span", String.format(Locale.ROOT, "%016x", d));
                figures.put("thread", Integer.toUnsignedLong(e));
                putIf((code & THREW) != 0, figures, "threw", true);
            }
            case COST -> {
                figures.put("hits", a);
                figures.put("costNanos", number(b));
                figures.put("hitsPerSecond", number(c));
                figures.put("samples", d);
                figures.put("period", e);
            }
            case STANCE -> figures.put("stance", a == 1 ? "armed" : a == 2 ? "off" : "free");
            case DECISION -> {
                figures.put("budget", number(a));
                figures.put("spent", number(b));
                putIf(Double.isFinite(Double.longBitsToDouble(c)), figures, "utilisation", number(c));
                putIf(d >= 0, figures, "lagMillis", d);
                figures.put("samplesPerSecond", e);
            }
            case DROPPED -> {
                figures.put("observations", a);
                figures.put("spans", b);
                figures.put("samples", c);
                figures.put("stacks", d);
                figures.put("measurements", Integer.toUnsignedLong(e));
            }
        }
        return figures;
    }

    /** When it was. */
    public Instant at() {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** A line of text. */
    public String line() {
        return at() + " " + kind.word() + (subject.isEmpty() ? "" : " " + subject) + " "
                + figures.entrySet().stream().map(RingRecord::shown).collect(Collectors.joining(" "));
    }

    /** The same for machines. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", number);
        fields.put("at", at().toString());
        fields.put("kind", kind.word());
        if (!subject.isEmpty()) {
            fields.put(kind.isOfMethod() ? "method" : "why", subject);
        }
        fields.putAll(figures);
        return fields;
    }

    private static String shown(Entry<String, Object> figure) {
        Object value = figure.getValue();
        return figure.getKey() + "="
                + (value instanceof Double number ? String.format(Locale.ROOT, "%.3f", number) : value.toString());
    }

    private static void putIf(boolean known, Map<String, Object> figures, String name, Object value) {
        if (known) {
            figures.put(name, value);
        }
    }

    /** What is no number, as it can't be in JSON, is 0. */
    private static double number(long bits) {
        double number = Double.longBitsToDouble(bits);
        return Double.isFinite(number) ? number : 0;
    }
}
