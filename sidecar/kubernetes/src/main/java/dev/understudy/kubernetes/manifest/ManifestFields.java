package dev.understudy.kubernetes.manifest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields of a {@link YamlTree} that somebody else has written: each may be missing, or be something else. */
public final class ManifestFields {
    private ManifestFields() {}

    /**
     * The mapping below keys; an empty one that belongs to nothing if it is missing.
     *
     * @throws ManifestException if there is something else
     */
    public static Map<String, Object> map(Map<String, Object> tree, String... keys) throws ManifestException {
        Map<String, Object> found = tree;
        for (String key : keys) {
            found = asMap(found.get(key), key);
        }
        return found;
    }

    /**
     * A value as a mapping; an empty one for null.
     *
     * @param place what it is called in a message
     * @throws ManifestException if it is something else
     */
    @SuppressWarnings("unchecked") // trees have no other maps
    public static Map<String, Object> asMap(@Nullable Object value, String place) throws ManifestException {
        if (isMissing(value)) {
            return new LinkedHashMap<>();
        }
        if (!(value instanceof Map)) {
            throw new ManifestException(place + ": " + shown(value) + " (expected: a mapping)");
        }
        return (Map<String, Object>) value;
    }

    /**
     * A list below a key; an empty one that can't be changed if it is missing.
     *
     * @throws ManifestException if there is something else
     */
    @SuppressWarnings("unchecked") // trees have no other lists
    public static List<Object> list(Map<String, Object> tree, String key) throws ManifestException {
        Object value = tree.get(key);
        if (isMissing(value)) {
            return List.of();
        }
        if (!(value instanceof List)) {
            throw new ManifestException(key + ": " + shown(value) + " (expected: a list)");
        }
        return (List<Object>) value;
    }

    /** The scalar below a key; empty if there is none. */
    public static String text(Map<String, Object> tree, String key) {
        Object value = tree.get(key);
        return value == null ? "" : YamlTree.text(value);
    }

    /** The whole number below a key; 0 if there is none. */
    public static int number(Map<String, Object> tree, String key) {
        String text = text(tree, key);
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    }

    private static boolean isMissing(@Nullable Object value) {
        if (value == null) {
            return true;
        }
        boolean nested = value instanceof Map || value instanceof List;
        return !nested && YamlTree.text(value).isEmpty();
    }

    private static String shown(@Nullable Object value) {
        if (value instanceof Map) {
            return "a mapping";
        }
        return value == null || value instanceof List ? "a list" : YamlTree.text(value);
    }
}
