package dev.understudy.agent.branch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The variables of a method as its class file names them, with where in its code they are what they are. */
final class Variables {
    /** What Kotlin's debugger knows inlined functions by; always zero. */
    private static final String INLINED = "$i$";

    private static final Pattern SPILLED = Pattern.compile("[IJ]\\$\\d+");

    private final List<Variable> all = new ArrayList<>();

    /**
     * Whether it is the field in which a coroutine keeps a number while it is suspended, of which its variable tells
     * already.
     */
    static boolean isSpilled(String field) {
        return SPILLED.matcher(field).matches();
    }

    /** @param to the first place where it isn't any more */
    void add(String name, String descriptor, int slot, int from, int to) {
        if (!name.startsWith(INLINED)) {
            all.add(new Variable(name, descriptor, slot, from, to));
        }
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The name that the slot has when the method begins, or null. */
    @Nullable
    String argument(int slot) {
        return all.stream()
                .filter(one -> one.slot == slot)
                .min(Comparator.comparingInt(one -> one.from))
                .map(one -> one.name)
                .orElse(null);
    }

    /** The name of the number that was put into the slot just before that place, or null if none is known. */
    @Nullable
    String stored(int slot, char type, int place) {
        for (Variable one : all) {
            // its scope begins with the label that follows
            if (one.slot == slot && one.is(type) && one.from <= place + 1 && place < one.to) {
                return one.name;
            }
        }
        return null;
    }

    /** The numbers of that type that are in scope there, arguments first. */
    List<Variable> inScope(char type, int place, char[] held) {
        List<Variable> found = new ArrayList<>();
        for (Variable one : all) {
            if (one.is(type)
                    && one.from <= place
                    && place < one.to
                    && one.slot < held.length
                    && held[one.slot] == type) {
                found.add(one);
            }
        }
        found.sort(Comparator.comparingInt(one -> one.slot));
        return found;
    }

    /** One of them. */
    static final class Variable {
        final String name;
        final int slot;
        private final String descriptor;
        private final int from;
        private final int to;

        Variable(String name, String descriptor, int slot, int from, int to) {
            this.name = name;
            this.descriptor = descriptor;
            this.slot = slot;
            this.from = from;
            this.to = to;
        }

        private boolean is(char type) {
            return descriptor.length() == 1 && descriptor.charAt(0) == type;
        }
    }
}
