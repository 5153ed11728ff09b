package dev.understudy.agent.weave;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Which methods of a class are meant: {@code total}, {@code to*}, or, one of several, {@code total(int,String)}. Types
 * are named in full or in short, {@code Map.Entry} or {@code Map$Entry}, {@code String...} or {@code String[]}.
 * Immutable.
 */
public final class MethodPattern {
    private final String text;
    private final String name;
    /** Null if they don't matter. */
    private final @Nullable List<String> parameters;

    private MethodPattern(String text, String name, @Nullable List<String> parameters) {
        this.text = text;
        this.name = name;
        this.parameters = parameters;
    }

    /** The pattern that is written so; anything is one. */
    public static MethodPattern of(String text) {
        int open = text.indexOf('(');
        if (open < 0 || !text.endsWith(")")) {
            return new MethodPattern(text, text, null);
        }
        String within = text.substring(open + 1, text.length() - 1).replace(" ", "");
        List<String> parameters = new ArrayList<>();
        for (String type : within.isEmpty() ? new String[0] : within.split(",", -1)) {
            parameters.add(type.endsWith("...") ? type.substring(0, type.length() - 3) + "[]" : type);
        }
        String name = text.substring(0, open).strip();
        return new MethodPattern(name + "(" + within + ")", name, parameters);
    }

    /** Whether it means a method of that name and descriptor. */
    public boolean matches(String method, String descriptor) {
        if (matches(ProbeDirectory.label(method, descriptor, true)) || ProbePattern.globs(text, method)) {
            return true;
        }
        List<String> wanted = parameters;
        if (wanted == null || !ProbePattern.globs(name, method)) {
            return false;
        }
        Type[] types = Type.getArgumentTypes(descriptor);
        boolean all = wanted.size() == types.length;
        for (int n = 0; all && n < types.length; n++) {
            all = isType(wanted.get(n), types[n].getClassName());
        }
        return all;
    }

    /** Whether it means the method by its name, which is written as a probe's is. */
    boolean matches(String label) {
        int open = label.indexOf('(');
        return ProbePattern.globs(text, label) || (open > 0 && ProbePattern.globs(text, label.substring(0, open)));
    }

    private static boolean isType(String wanted, String type) {
        String nested = type.replace('$', '.');
        return ProbePattern.globs(wanted, type)
                || ProbePattern.globs(wanted, nested)
                || nested.endsWith("." + wanted)
                || type.endsWith("." + wanted);
    }
}
