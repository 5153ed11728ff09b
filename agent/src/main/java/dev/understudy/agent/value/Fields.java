package dev.understudy.agent.value;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fields of the application's objects, private ones too, read without its code. For any threads.
 *
 * <p>What a class has is looked up once; the JVM may load the classes of its fields' types then, as reflection does.
 */
public final class Fields {
    /** Longer texts of builders stay builders. */
    private static final int LONGEST_TEXT = 10_000;

    private final Consumer<Class<?>> opener;
    private volatile @Nullable TextBuffers buffers;
    private final ClassValue<Map<String, Field>> known = new ClassValue<>() {
        @Override
        protected Map<String, Field> computeValue(Class<?> type) {
            return find(type);
        }
    };

    /** @param opener is given a class whose fields Java's modules keep to themselves, to open it to this one */
    public Fields(Consumer<Class<?>> opener) {
        this.opener = opener;
    }

    /** Those that Java's modules keep to themselves, too: {@code instrumentation} opens their classes to this one. */
    public static Fields openedBy(Instrumentation instrumentation) {
        return new Fields(type -> instrumentation.redefineModule(
                type.getModule(),
                Set.of(),
                Map.of(),
                Map.of(type.getPackageName(), Set.of(Fields.class.getModule())),
                Set.of(),
                Map.of()));
    }

    /** Whether its fields are looked at: it isn't of the JDK. */
    public static boolean isApplication(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return !type.isArray() && loader != null && loader != ClassLoader.getPlatformClassLoader();
    }

    /** The names of an object's fields, its class's first; none of the JDK's and no static ones. */
    public Iterable<String> names(Object object) {
        Map<String, Field> names = new LinkedHashMap<>(known.get(object.getClass()));
        names.values().removeIf(field -> Modifier.isStatic(field.getModifiers()));
        return names.keySet();
    }

    /** Whether the object has a field of that name, maybe a static one. */
    public boolean has(Object object, String name) {
        return isApplication(object.getClass()) && known.get(object.getClass()).containsKey(name);
    }

    /** Whether what {@link #read} finds under that name is that class's: a subclass's field may hide it. */
    public boolean isOf(Object object, String className, String name) {
        Field field = known.get(object.getClass()).get(name);
        return field != null && field.getDeclaringClass().getName().equals(className);
    }

    /**
     * What expressions see of a value: as {@link Known#plain}, and what wraps it is left out: an atomic reference, an
     * optional, or a text's builder.
     */
    public @Nullable Object plain(@Nullable Object value) {
        Object plain = Known.plain(Known.unwrapped(value));
        return plain != null && TextBuffers.isOne(plain) && size(plain) <= LONGEST_TEXT
                ? buffers().text(plain, LONGEST_TEXT)
                : plain;
    }

    /** How many elements or characters it has; -1 if that can't be asked. */
    public int size(Object value) {
        return TextBuffers.isOne(value) ? buffers().length(value) : Known.size(value);
    }

    /** At most so many characters of a text that is being built. */
    Object beginning(Object buffer, int most) {
        return buffers().text(buffer, most);
    }

    /** Read with the first builder only, as the JDK is opened for it. */
    private TextBuffers buffers() {
        TextBuffers known = buffers;
        if (known == null) {
            known = new TextBuffers(opener);
            buffers = known;
        }
        return known;
    }

    /** What the field holds, as {@link #plain}; a {@link ValueFault} if it can't be read. */
    public @Nullable Object read(Object object, String name) {
        return plain(held(object, name));
    }

    /** What the field holds as it is; a {@link ValueFault} if it can't be read. */
    @Nullable
    Object held(Object object, String name) {
        Field field = known.get(object.getClass()).get(name);
        if (field == null) {
            return new ValueFault(Known.shortName(object.getClass()) + " has no field " + name);
        }
        try {
            if (!field.trySetAccessible()) {
                opener.accept(field.getDeclaringClass());
                if (!field.trySetAccessible()) {
                    return new ValueFault(
                            Known.shortName(object.getClass()) + "'s module keeps " + name + " to itself");
                }
            }
            return field.get(object);
        } catch (IllegalAccessException | RuntimeException | LinkageError kept) {
            return new ValueFault(Known.shortName(object.getClass()) + "." + name + " can't be read");
        }
    }

    private static Map<String, Field> find(Class<?> of) {
        Map<String, Field> found = new LinkedHashMap<>();
        for (Class<?> type = of; type != null && isApplication(type); type = type.getSuperclass()) {
            try {
                for (Field field : type.getDeclaredFields()) {
                    if (!field.isSynthetic()) {
                        found.putIfAbsent(field.getName(), field);
                    }
                }
            } catch (RuntimeException | LinkageError typesAreMissing) {
                // it looks like one without fields
            }
        }
        return found;
    }
}
