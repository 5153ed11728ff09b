package dev.understudy.agent.execution;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A method whose calls are recorded. For any threads. */
final class ExecutedMethod {
    final int number;
    /** As the sidecar knows it: {@code com.shop.Cart#total}. */
    final String label;

    final boolean isStatic;
    /** Whether its calls have a receiver when they begin. */
    final boolean hasReceiver;

    private final AtomicReferenceArray<@Nullable String> parameters;

    ExecutedMethod(int number, String label, boolean isStatic, boolean isConstructor, int parameters) {
        this.number = number;
        this.label = label;
        this.isStatic = isStatic;
        this.hasReceiver = !isStatic && !isConstructor;
        this.parameters = new AtomicReferenceArray<>(parameters);
    }

    /** Its parameter of that number has that name. */
    void parameter(int index, String name) {
        parameters.set(index, name);
    }

    /** The name of a parameter, from 0 on; null if the class file doesn't say. */
    @Nullable
    String parameter(int index) {
        return index < parameters.length() ? parameters.get(index) : null;
    }
}
