package dev.understudy.agent.weave;

/** Names of classes, with slashes. */
public final class ClassNames {
    private ClassNames() {}

    /** The name of a class that is known. */
    public static String of(Class<?> known) {
        return known.getName().replace('.', '/');
    }

    /** The end of a name, from the last slash on. */
    public static String simple(String className) {
        return className.substring(className.lastIndexOf('/') + 1);
    }
}
