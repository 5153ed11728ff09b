package dev.understudy.agent;

import dev.understudy.agent.export.Stderr;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Has classes that were loaded before the agent was there come by its transformers. */
final class LoadedClasses {
    private static final int BATCH = 100;

    private LoadedClasses() {}

    /**
     * In batches, since each is a stop of all threads; those of a batch that isn't taken one by one.
     *
     * @param told whether it is said how far that is
     */
    static void retransform(Instrumentation instrumentation, boolean told, Predicate<Class<?>> wanted) {
        List<Class<?>> found = new ArrayList<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (wanted.test(loaded) && instrumentation.isModifiableClass(loaded)) {
                found.add(loaded);
            }
        }
        for (int from = 0; from < found.size(); from += BATCH) {
            int to = Math.min(from + BATCH, found.size());
            List<Class<?>> batch = found.subList(from, to);
            if (!retransformed(instrumentation, batch)) {
                batch.forEach(one -> retransform(instrumentation, one));
            }
            if (told && found.size() > BATCH) {
                Stderr.line("woven " + to + " of " + found.size() + " loaded classes");
            }
        }
    }

    private static boolean retransformed(Instrumentation instrumentation, List<Class<?>> batch) {
        try {
            instrumentation.retransformClasses(batch.toArray(new Class<?>[0]));
            return true;
        } catch (UnmodifiableClassException | LinkageError | RuntimeException notAll) {
            return false;
        }
    }

    private static void retransform(Instrumentation instrumentation, Class<?> loaded) {
        try {
            instrumentation.retransformClasses(loaded);
        } catch (UnmodifiableClassException | LinkageError | RuntimeException problem) {
            Stderr.line(loaded.getName() + " stays as it was: " + problem);
        }
    }
}
