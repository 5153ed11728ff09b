package dev.understudy.agent;

import dev.understudy.agent.export.Stderr;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Says of each class once what couldn't be done with it, however often the JVM comes by; of some classes only. */
final class FailureLines implements BiConsumer<String, Throwable> {
    static final int MOST = 10;

    private final String consequence;
    private final Consumer<String> lines;
    private final Set<String> named = new HashSet<>(); // guarded by itself

    /**
     * Lines on standard error.
     *
     * @param consequence what stands behind the class's name
     */
    FailureLines(String consequence) {
        this(consequence, new OnStderr());
    }

    FailureLines(String consequence, Consumer<String> lines) {
        this.consequence = consequence;
        this.lines = lines;
    }

    @Override
    public void accept(String className, Throwable problem) {
        int number;
        synchronized (named) {
            if (named.size() > MOST || !named.add(className)) {
                return;
            }
            number = named.size();
        }
        lines.accept(
                number <= MOST
                        ? className + " " + consequence + ": " + problem
                        : "another class " + consequence + "; no more are named");
    }

    /** No lambda expression, which takes long to link when a JVM starts. */
    private static final class OnStderr implements Consumer<String> {
        @Override
        public void accept(String line) {
            Stderr.line(line);
        }
    }
}
