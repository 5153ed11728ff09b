package dev.understudy.agent.weave;

import java.util.List;

/**
 * Which probes the operator means: {@code com.shop.*Cart#total}, {@code com.shop.*} (all methods), or, by an annotation
 * of the method or of its class, {@code @jakarta.ws.rs.GET}. A star stands for any text, dots included. Immutable.
 */
public final class ProbePattern {
    private final boolean annotation;
    private final String ofClass;
    private final MethodPattern method;

    private ProbePattern(boolean annotation, String ofClass, String method) {
        this.annotation = annotation;
        this.ofClass = ofClass;
        this.method = MethodPattern.of(method);
    }

    /** The pattern that is written so; anything is one. */
    public static ProbePattern of(String text) {
        if (text.startsWith("@")) {
            return new ProbePattern(true, text.substring(1), "");
        }
        int hash = text.indexOf('#');
        return hash < 0
                ? new ProbePattern(false, text, "*")
                : new ProbePattern(false, text.substring(0, hash), text.substring(hash + 1));
    }

    /** Whether it means the probe; a method's parameters may be left out. */
    public boolean matches(Probe probe) {
        if (annotation) {
            return probe.annotations().stream().anyMatch(name -> globs(ofClass, name));
        }
        return matches(probe.className(), probe.method())
                || (matchesClass(probe.className()) && method.matches(probe.name(), probe.descriptor()));
    }

    /** Whether it means the method, which has these annotations or its class has. */
    public boolean matches(String className, String name, String descriptor, List<String> annotations) {
        return annotation
                ? annotations.stream().anyMatch(one -> globs(ofClass, one))
                : globs(ofClass, className) && method.matches(name, descriptor);
    }

    /** Whether it may mean methods of that class; by an annotation it may mean any. */
    public boolean matchesClass(String className) {
        return annotation || globs(ofClass, className);
    }

    /** Whether it means the method by its name, which is written as a probe's is; not by an annotation. */
    public boolean matches(String className, String name) {
        return !annotation && globs(ofClass, className) && method.matches(name);
    }

    /** Goes back to the last star only, so that no pattern takes longer than its length times the text's. */
    static boolean globs(String glob, String text) {
        int at = 0;
        int star = -1;
        int resume = 0;
        for (int i = 0; i < text.length(); ) {
            if (at < glob.length() && glob.charAt(at) == '*') {
                star = at++;
                resume = i;
            } else if (at < glob.length() && glob.charAt(at) == text.charAt(i)) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++resume;
            } else {
                return false;
            }
        }
        while (at < glob.length() && glob.charAt(at) == '*') {
            at++;
        }
        return at == glob.length();
    }
}
