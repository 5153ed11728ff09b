package dev.understudy.it.fidelity;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** What one side's clients saw, in the order in which it came. Guarded by itself. */
public final class Transcript {
    /** What a client says that waited for something in vain, which is no answer. */
    public static final String SILENCE = "nothing came";

    private static final String MISS = "missed: ";
    private static final int DEPTH = 20;

    private final List<Operation> operations = new ArrayList<>();

    /** Does something whose form is its name, and keeps what came of it, or how it failed. */
    public void add(String name, Callable<String> operation) {
        add(name, name, operation);
    }

    /** Does something, and keeps what came of it, or how it failed. */
    public void add(String name, String form, Callable<String> operation) {
        String result;
        try {
            result = operation.call();
        } catch (Exception failed) {
            result = failure(failed);
        }
        add(new Operation(name, form, result));
    }

    public synchronized void add(Operation operation) {
        operations.add(operation);
    }

    public synchronized List<Operation> operations() {
        return List.copyOf(operations);
    }

    /** Whether the aggregator said that it has no recorded reply, or nothing at all. */
    static boolean missed(String result) {
        return result.startsWith(MISS);
    }

    /** A result that says so, if {@code text} is how the aggregator words it; else as it is. */
    public static String result(String text) {
        boolean missed = text.contains(SILENCE)
                || text.contains("understudy has no recorded reply")
                || text.contains("understudy can't give the recorded reply")
                || text.contains("understudy has recorded only a part of this result")
                || text.contains("understudy: no recorded reply")
                || text.contains("UNDERSTUDY no recorded reply")
                || text.contains("\"title\":\"No recorded reply\"");
        return missed ? MISS + text : text;
    }

    /** How something failed, with all causes, as the class of error matters and not the place. */
    public static String failure(Throwable failed) {
        StringBuilder text = new StringBuilder();
        Throwable cause = failed;
        for (int depth = 0; cause != null && depth < DEPTH; depth++) {
            text.append(cause.getClass().getSimpleName())
                    .append(": ")
                    .append(cause.getMessage())
                    .append('\n');
            cause = cause.getCause();
        }
        return result(text.toString().strip());
    }
}
