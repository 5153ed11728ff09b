package dev.understudy.sidecar.suspect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.sidecar.label.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What an agent observed of some exchanges. Immutable, as far as nobody writes to its arrays. */
final class ObservedBatch {
    static final int MOST_EXCHANGES = 1_000;
    static final int MOST_HELD = 16_384;
    /** Methods have numbers up to 2^15, branches and values 2^15 after them. */
    static final int HIGHEST = 1 << 16;

    private static final int LONGEST_AGENT = 200;
    private static final int LONGEST_NAME = 1_000;
    /** Of methods that decide one jump. */
    private static final int MOST_NAMES = 8;

    /** The agent's name. */
    final String agent;
    /** Tells one process of that name from the next. */
    final long run;
    /** Names of numbers that weren't named before. */
    final Map<Integer, String> methods;
    /** What numbers of branches, values and places of locks stand for that weren't named before. */
    final Map<Integer, Inside> inside;
    /** Numbers of methods whose calls weren't seen. */
    final int[] closed;

    final List<Seen> exchanges;

    private ObservedBatch(
            String agent,
            long run,
            Map<Integer, String> methods,
            Map<Integer, Inside> inside,
            int[] closed,
            List<Seen> exchanges) {
        this.agent = agent;
        this.run = run;
        this.methods = methods;
        this.inside = inside;
        this.closed = closed;
        this.exchanges = exchanges;
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it isn't one; the message says what was expected
     */
    static ObservedBatch read(byte[] json) {
        JsonNode root = JsonBody.objectOfNumbers(json);
        JsonNode name = root.path("name");
        if (!name.isTextual() || name.asText().isEmpty() || name.asText().length() > LONGEST_AGENT) {
            throw new IllegalArgumentException(
                    "name: missing (expected: the agent's name, of at most " + LONGEST_AGENT + " characters)");
        }
        Map<Integer, String> methods = new HashMap<>();
        root.path("methods").properties().forEach(field -> {
            methods.put(number(field.getKey()), name(field.getValue()));
        });
        Map<Integer, Inside> inside = new HashMap<>();
        root.path("branches")
                .properties()
                .forEach(field -> inside.put(number(field.getKey()), branch(field.getValue())));
        root.path("values").properties().forEach(field -> inside.put(number(field.getKey()), value(field.getValue())));
        root.path("locks").properties().forEach(field -> inside.put(number(field.getKey()), lock(field.getValue())));
        List<Seen> exchanges = new ArrayList<>();
        if (root.path("exchanges").size() > MOST_EXCHANGES) {
            throw new IllegalArgumentException(
                    "exchanges: " + root.path("exchanges").size() + " (expected: at most " + MOST_EXCHANGES + ")");
        }
        for (JsonNode exchange : root.path("exchanges")) {
            exchanges.add(new Seen(
                    exchange.has("port")
                            ? place(exchange)
                            : span(exchange.path("span").asText()),
                    exchange.path("open").asBoolean(),
                    exchange.path("whole").asBoolean(),
                    exchange.has("escaped"),
                    exchange.path("logged").asBoolean(),
                    numbers("held", exchange.path("held"), MOST_HELD, HIGHEST * Predicate.ROOM),
                    numbers("calls", exchange.path("calls"), 2 * MOST_HELD, HIGHEST)));
        }
        return new ObservedBatch(
                name.asText(),
                root.path("run").asLong(),
                methods,
                inside,
                numbers("closed", root.path("closed"), HIGHEST, HIGHEST),
                exchanges);
    }

    private static String name(JsonNode value) {
        String method = value.asText();
        return method.substring(0, Math.min(LONGEST_NAME, method.length()));
    }

    private static Branch branch(JsonNode value) {
        return new Branch(
                name(value.path("method")),
                line(value, "line", "source"),
                line(value, "to", "toSource"),
                value.path("condition").asInt(),
                value.path("conditions").asInt(),
                names(value.path("asked")),
                names(value.path("setters")));
    }

    private static Line line(JsonNode value, String number, String source) {
        return new Line(value.path(number).asInt(), name(value.path(source)));
    }

    private static List<String> names(JsonNode values) {
        List<String> names = new ArrayList<>();
        for (JsonNode value : values) {
            if (names.size() < MOST_NAMES) {
                names.add(name(value));
            }
        }
        return names;
    }

    private static SuspectValue value(JsonNode value) {
        return new SuspectValue(
                name(value.path("method")),
                line(value, "line", "source"),
                oneOf(SuspectValue.At.class, "at", value),
                oneOf(SuspectValue.Kind.class, "kind", value),
                name(value.path("name")),
                name(value.path("other")));
    }

    private static Lock lock(JsonNode value) {
        return new Lock(name(value.path("method")), value.path("line").asInt(), name(value.path("lock")));
    }

    private static <E extends Enum<E>> E oneOf(Class<E> type, String field, JsonNode value) {
        String text = value.path(field).asText();
        for (E one : type.getEnumConstants()) {
            if (one.name().equalsIgnoreCase(text)) {
                return one;
            }
        }
        throw new IllegalArgumentException(field + ": " + name(value.path(field)) + " (expected: one of "
                + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT) + ")");
    }

    private static String span(String text) {
        if (text.length() != 16) {
            throw new IllegalArgumentException("span: " + text.length() + " characters (expected: 16)");
        }
        return text;
    }

    private static Place place(JsonNode exchange) {
        return new Place(
                exchange.path("port").asInt(),
                exchange.path("from").asLong(),
                exchange.path("to").asLong());
    }

    private static int number(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number < HIGHEST) {
                return number;
            }
        } catch (NumberFormatException none) {
            // told below
        }
        throw new IllegalArgumentException("methods: a number (expected: 0 to " + (HIGHEST - 1) + ")");
    }

    private static int[] numbers(String what, JsonNode array, int most, int end) {
        if (array.size() > most) {
            throw new IllegalArgumentException(what + ": " + array.size() + " (expected: at most " + most + ")");
        }
        int[] numbers = new int[array.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = array.get(i).asInt(-1);
            if (numbers[i] < 0 || numbers[i] >= end) {
                throw new IllegalArgumentException(what + ": " + array.get(i) + " (expected: 0 to " + (end - 1) + ")");
            }
        }
        return numbers;
    }

    /** One exchange. */
    static final class Seen {
        /** Its span, or its {@link Place}. */
        final Object key;

        /** Whether it wasn't over, and is told of up to that moment. */
        final boolean open;

        final boolean whole;
        final boolean escaped;
        /** Whether an error was logged for it. */
        final boolean logged;
        /** Predicates, by the agent's numbers. */
        final int[] held;
        /** A method and the one that called it first, in turns, by the agent's numbers. */
        final int[] calls;

        Seen(Object key, boolean open, boolean whole, boolean escaped, boolean logged, int[] held, int[] calls) {
            this.logged = logged;
            this.calls = calls;
            this.key = key;
            this.open = open;
            this.whole = whole;
            this.escaped = escaped;
            this.held = held;
        }
    }
}
