package dev.understudy.agent.expression;

import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Known;
import dev.understudy.agent.value.ValueFault;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows a dot or stands in brackets: fields, and the words {@code size}, {@code length}, {@code class},
 * {@code name}, {@code message}, {@code contains}, {@code startsWith}, {@code endsWith} and {@code matches}. Of null
 * all of it is null. Stateless.
 */
final class Members {
    /** What is called with something in brackets; on texts only. */
    static final Set<String> CALLS = Set.of("contains", "startsWith", "endsWith", "matches");

    private Members() {}

    /** A field of that name, else what the word means; of null it is null. */
    static @Nullable Object member(@Nullable Object of, String name, Fields fields) {
        if (of == null || of instanceof ValueFault) {
            return of;
        }
        if (fields.has(of, name)) {
            return fields.read(of, name);
        }
        switch (name) {
            case "size":
            case "length":
                int size = fields.size(of);
                return size < 0 ? new ValueFault(Operators.kind(of) + " has no " + name) : (Object) (long) size;
            case "class":
                return of.getClass().getName();
            case "name":
                return of instanceof Enum ? ((Enum<?>) of).name() : none(of, name);
            case "message":
                return of instanceof Throwable ? Known.message((Throwable) of) : none(of, name);
            default:
                return none(of, name);
        }
    }

    private static ValueFault none(Object of, String name) {
        return new ValueFault(Operators.kind(of) + " has no " + name);
    }

    /** One of {@link #CALLS} that isn't {@code matches}. */
    static @Nullable Object call(@Nullable Object of, String name, @Nullable Object with) {
        if (of == null || of instanceof ValueFault) {
            return of;
        }
        if (with instanceof ValueFault) {
            return with;
        }
        if (!(of instanceof String) || !(with instanceof String)) {
            return new ValueFault(
                    name + " asks a text for a text, not " + Operators.kind(of) + " for " + Operators.kind(with));
        }
        String text = (String) of;
        String part = (String) with;
        switch (name) {
            case "contains":
                return text.contains(part);
            case "startsWith":
                return text.startsWith(part);
            default:
                return text.endsWith(part);
        }
    }

    /** The element at a place of a list or array, or what a map has for a text. */
    static @Nullable Object element(@Nullable Object of, @Nullable Object key, Evaluation in) {
        if (of == null || of instanceof ValueFault) {
            return of;
        }
        if (key instanceof ValueFault) {
            return key;
        }
        if (key instanceof Long) {
            return in.fields.plain(Known.element(of, (Long) key));
        }
        Iterable<? extends Map.Entry<?, ?>> entries = Known.entries(of);
        if (entries == null || !(key instanceof String)) {
            return new ValueFault(Operators.kind(of) + " has nothing at " + Operators.kind(key));
        }
        try {
            for (Map.Entry<?, ?> entry : entries) {
                if (!in.step()) {
                    return new ValueFault("the map is too large");
                }
                if (key.equals(entry.getKey())) {
                    return in.fields.plain(entry.getValue());
                }
            }
            return null;
        } catch (ConcurrentModificationException changed) {
            return new ValueFault("the map changes");
        }
    }
}
