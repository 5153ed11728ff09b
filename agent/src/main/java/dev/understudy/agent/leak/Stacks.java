package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Allocation;
import dev.understudy.agent.bootstrap.allocation.Allocations;
import dev.understudy.agent.bootstrap.allocation.Uses;
import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who makes or uses an object of one class on this thread, as its stack tells. For any threads. */
final class Stacks {
    private static final int DEPTH = 64;
    private static final int METHODS = 5;
    private static final int SHOWN = 14;
    private static final Set<Class<?>> LOOKING = Set.of(
            Stacks.class,
            Survivors.class,
            LastUses.class,
            Sampled.class,
            Allocation.class,
            Allocations.class,
            Uses.class);
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private final String className;
    private final Predicate<Class<?>> application;
    private final Predicate<Class<?>> agent;

    /** For objects of the class of that name; see {@link Survivors} for the others. */
    Stacks(String className, Predicate<Class<?>> application, Predicate<Class<?>> agent) {
        this.className = className;
        this.application = application;
        this.agent = agent;
    }

    boolean isApplications(Class<?> type) {
        return application.test(type);
    }

    /** The application's methods, the nearest first; none where the agent made the object, whoever had called that. */
    List<String> makers() {
        List<String> methods = WALKER.walk(frames -> methods(frames, this::isOwnConstructor, true));
        return methods == null ? List.of() : methods;
    }

    /**
     * The application's methods, that which called the object from outside first: what the object calls of itself, or
     * has called by others of its class, is left out. Null where the agent called it, or what that calls.
     */
    @Nullable
    List<String> users(Class<?> object) {
        return WALKER.walk(
                frames -> methods(frames, frame -> frame.getDeclaringClass().isAssignableFrom(object), false));
    }

    private @Nullable List<String> methods(
            Stream<StackFrame> frames, Predicate<StackFrame> without, boolean throughout) {
        List<String> methods = new ArrayList<>(METHODS);
        Iterator<StackFrame> each =
                frames.filter(frame -> !isLooking(frame)).limit(DEPTH).iterator();
        while (each.hasNext() && methods.size() < METHODS) {
            StackFrame frame = each.next();
            if (methods.isEmpty() && agent.test(frame.getDeclaringClass())) {
                return null;
            }
            boolean left = (throughout || methods.isEmpty()) && without.test(frame);
            if (!left && application.test(frame.getDeclaringClass())) {
                String method = frame.getClassName() + "#" + frame.getMethodName();
                if (!methods.contains(method)) {
                    methods.add(method);
                }
            }
        }
        return methods;
    }

    private boolean isOwnConstructor(StackFrame frame) {
        return frame.getMethodName().equals("<init>") && frame.getClassName().equals(className);
    }

    /** The stack, as far as it is told. */
    List<String> shown() {
        return WALKER.walk(frames -> frames.filter(frame -> !isLooking(frame))
                .limit(SHOWN)
                .map(Objects::toString)
                .collect(Collectors.toList()));
    }

    private static boolean isLooking(StackFrame frame) {
        return LOOKING.contains(frame.getDeclaringClass());
    }
}
