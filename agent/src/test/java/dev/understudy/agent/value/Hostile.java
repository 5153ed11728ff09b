package dev.understudy.agent.value;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An application whose every method says that it was called. */
public final class Hostile {
    public static final List<String> CALLED = new ArrayList<>();

    @SuppressWarnings("unused")
    private final int id = 7;

    @SuppressWarnings("unused")
    private final String name = "tea";

    @SuppressWarnings("unused")
    private final String apiToken = "s3cr3t";

    @SuppressWarnings("unused")
    private final List<Object> items = new ArrayList<>(List.of("one", 2, 'c'));

    @SuppressWarnings("unused")
    private final Map<String, Object> map = new HashMap<>(Map.of("a", 1L, "password", "s3cr3t"));

    @SuppressWarnings("unused")
    private final Size own = new Size();

    @SuppressWarnings("unused")
    private final Colour colour = Colour.RED;

    @SuppressWarnings("unused")
    private final Hostile self = this;

    public enum Colour {
        RED {
            @Override
            public String toString() {
                return called("Colour.toString");
            }
        }
    }

    /** The application's own list. */
    public static final class Size extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        @Override
        public int size() {
            called("size");
            return 1;
        }

        @Override
        public String get(int index) {
            return called("get");
        }
    }

    /** The application's own exception. */
    public static final class Problem extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            return called("getMessage");
        }
    }

    public int getId() {
        called("getId");
        return id;
    }

    @Override
    public boolean equals(Object other) {
        called("equals");
        return this == other;
    }

    @Override
    public int hashCode() {
        called("hashCode");
        return 1;
    }

    @Override
    public String toString() {
        return called("toString");
    }

    private static String called(String what) {
        CALLED.add(what);
        return what;
    }
}
