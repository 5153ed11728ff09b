package dev.understudy.agent.branch;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which fields of its class a method's calls of the JDK's counters and collections go to: of those of the type that a
 * call names the one that was read last in the same statement, if no call went there yet. What a variable holds
 * meanwhile isn't followed. Confined to the reading of its method.
 */
final class Receivers {
    private static final Pattern HOLDER = Pattern.compile("Ljava/util/.*;");
    private static final Pattern CHANGES = Pattern.compile(
            "(set|lazySet|add|put|remove|clear|increment|decrement|getAnd|compareAnd|weakCompareAnd|accumulate|update|"
                    + "reset|sumThenReset|offer|poll|push|pop|take|drain|compute|merge|replace|retain|sort).*");

    private final List<String> fields = new ArrayList<>();
    private final List<String> descriptors = new ArrayList<>();

    /** Whether a method of that name changes what it is called on. */
    static boolean changes(String method) {
        return CHANGES.matcher(method).matches();
    }

    /** A field of the class is read. */
    void read(String field, String descriptor) {
        if (HOLDER.matcher(descriptor).matches()) {
            fields.add(field);
            descriptors.add(descriptor);
        }
    }

    /** The field that this call of a method of that type goes to; null if it goes to none. */
    @Nullable
    String called(String owner) {
        int last = descriptors.lastIndexOf('L' + owner + ';');
        if (last < 0) {
            return null;
        }
        descriptors.remove(last);
        return fields.remove(last);
    }

    /** A statement has ended. */
    void clear() {
        fields.clear();
        descriptors.clear();
    }
}
