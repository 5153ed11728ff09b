package dev.understudy.it.overhead.work;

import java.util.List;

/** Something that is done again and again, on one thread. */
public interface Work {
    /** The names that {@link #of} knows. */
    List<String> NAMES = List.of("jackson", "h2");

    /**
     * Does it once; some tens of microseconds when compiled.
     *
     * @return something that depends on all that was done
     */
    long once() throws Exception;

    /** A new one, ready to be done. */
    static Work of(String name) throws Exception {
        return switch (name) {
            case "jackson" -> new JacksonWork();
            case "h2" -> new H2Work();
            default -> throw new IllegalArgumentException(name + ": no such work (expected: one of " + NAMES + ")");
        };
    }
}
