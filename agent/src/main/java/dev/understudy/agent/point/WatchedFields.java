package dev.understudy.agent.point;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;

/**
 * The fields that are watched, and which classes use them: those whose constant pool names the field. Immutable.
 *
 * <p>A field is named by its own class, or by one of the subclasses that were loaded when the watch began.
 */
final class WatchedFields {
    private static final int FIELD_REFERENCE = 9;

    static final WatchedFields NONE = new WatchedFields(Map.of());

    /** The class and the name, {@code com/shop/Cart.total}, as a constant pool may have them. */
    private final Map<String, List<LivePoint>> references;

    private WatchedFields(Map<String, List<LivePoint>> references) {
        this.references = references;
    }

    /** Those of these points that are of fields; what is wrong with one is its problem. */
    static WatchedFields of(Iterable<LivePoint> points, Class<?>[] loaded) {
        Map<String, List<LivePoint>> references = new LinkedHashMap<>();
        for (LivePoint point : points) {
            if (point.wanted.place.isOfField()) {
                for (String owner : owners(point, loaded)) {
                    references
                            .computeIfAbsent(owner + "." + point.wanted.method, first -> new ArrayList<>())
                            .add(point);
                }
            }
        }
        return references.isEmpty() ? NONE : new WatchedFields(references);
    }

    private static Set<String> owners(LivePoint point, Class<?>[] loaded) {
        Set<String> owners = new HashSet<>();
        owners.add(point.wanted.className.replace('.', '/'));
        List<Class<?>> declaring = new ArrayList<>();
        for (Class<?> type : loaded) {
            if (type.getName().equals(point.wanted.className)) {
                declaring.add(type);
                boolean known = names(type).contains(point.wanted.method);
                point.problem(
                        "field",
                        known
                                ? ""
                                : "there is no field " + point.wanted.method + " (expected: one of " + names(type)
                                        + ")");
            }
        }
        for (Class<?> type : loaded) {
            if (declaring.stream().anyMatch(parent -> parent != type && parent.isAssignableFrom(type))) {
                owners.add(type.getName().replace('.', '/'));
            }
        }
        return owners;
    }

    private static List<String> names(Class<?> type) {
        List<String> names = new ArrayList<>();
        try {
            for (Field field : type.getDeclaredFields()) {
                if (!field.isSynthetic()) {
                    names.add(field.getName());
                }
            }
        } catch (LinkageError typesAreMissing) {
            // none is known
        }
        return names;
    }

    boolean isEmpty() {
        return references.isEmpty();
    }

    /** The points that such an access is told to. */
    List<LivePoint> of(FieldVisitor.Access access) {
        List<LivePoint> found = new ArrayList<>();
        for (LivePoint point : references.getOrDefault(access.owner + "." + access.name, List.of())) {
            PointPlace.At at = point.wanted.place.at;
            if (at == PointPlace.At.BOTH || at == (access.isWrite() ? PointPlace.At.WRITES : PointPlace.At.READS)) {
                found.add(point);
            }
        }
        return found;
    }

    /** Whether the class file uses one of them. */
    boolean areUsedIn(ClassReader reader) {
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int item = 1; item < reader.getItemCount(); item++) {
            int offset = reader.getItem(item);
            if (offset > 0 && reader.readByte(offset - 1) == FIELD_REFERENCE) {
                int name = reader.getItem(reader.readUnsignedShort(offset + 2));
                if (references.containsKey(reader.readClass(offset, buffer) + "." + reader.readUTF8(name, buffer))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a loaded class may use one: as far as its class file can be read, that decides. */
    boolean mayBeUsedIn(Class<?> type) {
        if (references.isEmpty() || type.isArray() || type.isPrimitive()) {
            return false;
        }
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream bytes = type.getResourceAsStream(file)) {
            return bytes == null || areUsedIn(new ClassReader(bytes.readAllBytes()));
        } catch (IOException | RuntimeException | LinkageError unreadable) {
            return true;
        }
    }
}
