package dev.understudy.sidecar.suspect;

import java.util.List;

/**
 * A value that a method is called with, stores or returns.
 *
 * @param line where that is; none for what it is called with
 * @param name the argument, variable or field; empty for what is returned
 * @param other of a pair, the variable that it is compared with; else empty
 */
record SuspectValue(String method, Line line, At at, Kind kind, String name, String other) implements Inside {
    private static final List<String> NUMBER = List.of(
            "below -1",
            "-1",
            "0",
            "1",
            "2 or 3",
            "4 to 7",
            "8 to 15",
            "16 to 31",
            "32 to 63",
            "64 to 127",
            "128 to 255",
            "256 to 1023",
            "1024 to 4095",
            "4096 to 65535",
            "65536 to 2147483647",
            "above 2147483647");

    private static final List<String> TRUTH = List.of("false", "true");

    /** The star stands for its name. */
    private static final List<String> OBJECT = List.of(
            "* null",
            "* that isn't null",
            "* that is empty",
            "* that isn't empty",
            "a ? in *",
            "an & in *",
            "a % in *",
            "a quote in *",
            "a < or > in *",
            "white space in *",
            "a character beyond ASCII in *",
            "digits alone in *",
            "more than 256 characters in *");

    private static final List<String> PAIR = List.of("less than", "equal to", "greater than");

    @Override
    public SuspectValue site() {
        return this;
    }

    @Override
    public int ownLine() {
        return line.own();
    }

    @Override
    public int kinds() {
        return words().size();
    }

    @Override
    public String words(int number) {
        String what = words().get(number);
        return switch (at) {
            case ENTRY -> "was called with " + called(what);
            case STORE -> "at line " + line + " made " + name + " " + what + beside();
            case RETURN -> "at line " + line + " returned " + what + beside();
        };
    }

    /** In the order of the agent's numbers. */
    private List<String> words() {
        return switch (kind) {
            case NUMBER -> NUMBER;
            case TRUTH -> TRUTH;
            case OBJECT -> OBJECT;
            case PAIR -> PAIR;
        };
    }

    private String called(String what) {
        return kind == Kind.OBJECT ? what.replace("*", name) : name + " " + what;
    }

    private String beside() {
        return other.isEmpty() ? "" : " " + other;
    }

    /** When the method has it. */
    enum At {
        ENTRY,
        STORE,
        RETURN
    }

    /** What is told of it. */
    enum Kind {
        NUMBER,
        TRUTH,
        OBJECT,
        PAIR
    }
}
