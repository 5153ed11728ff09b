package dev.understudy.agent.patch;

import dev.understudy.agent.orders.Order;
import dev.understudy.agent.orders.OrderFollower;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * {@code patch}: which class files the application runs instead of its own.
 *
 * <p>{@code {"id": "c0ffee…"}}, by the first half of the SHA-256 of the jar that is fetched. All classes of a patch are
 * taken, or none, and what was there before stays. Code that runs already runs to its end as it was.
 */
public final class PatchOrder implements Order {
    private static final int LARGEST = 4 << 20;
    private static final int MOST_TOLD = 5;
    private static final int LONGEST_SHOWN = 80;
    private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
    /** A class file of Java N has this version less than N. */
    private static final int FIRST_VERSION = 44;

    private final Instrumentation instrumentation;
    private final PatchTransformer transformer;
    private final OrderFollower.Sidecar sidecar;
    private volatile String inForce = "";
    private volatile String standing = "none";

    /** Patches through {@code transformer}, which is installed, with jars that {@code sidecar} has. */
    public PatchOrder(Instrumentation instrumentation, PatchTransformer transformer, OrderFollower.Sidecar sidecar) {
        this.instrumentation = instrumentation;
        this.transformer = transformer;
        this.sidecar = sidecar;
    }

    @Override
    public String kind() {
        return "patch";
    }

    @Override
    public List<String> bring(Map<String, Object> wanted) throws IOException, InterruptedException {
        if (wanted.isEmpty()) {
            return inForce.isEmpty() ? List.of() : change("", Map.of());
        }
        String id = String.valueOf(wanted.get("id"));
        if (!ID.matcher(id).matches()) {
            return List.of((wanted.containsKey("id") ? "no patch's id: " + shortened(id) : "it has no id")
                    + "; nothing was changed (expected: the first half of the jar's SHA-256, 32 hexadecimal digits)");
        }
        if (id.equals(inForce)) {
            return List.of();
        }
        byte[] jar = sidecar.get("/v1/orders/patch/" + id, LARGEST);
        if (!id.equals(id(jar))) {
            return List.of(id + ": what came isn't that patch");
        }
        Map<String, byte[]> classes;
        try {
            classes = PatchJar.read(jar);
        } catch (IOException unreadable) {
            return List.of(id + ": " + unreadable.getMessage());
        }
        List<String> problems = check(classes);
        return problems.isEmpty() ? change(id, classes) : problems;
    }

    @Override
    public String standing() {
        return standing;
    }

    /** The id of the patch that the application runs with; "" if none. Any thread. */
    public String inForce() {
        return inForce;
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
    }

    static String id(byte[] jar) {
        try {
            StringBuilder id = new StringBuilder();
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(jar);
            for (int i = 0; i < digest.length / 2; i++) {
                id.append(String.format("%02x", digest[i]));
            }
            return id.toString();
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    private List<String> check(Map<String, byte[]> classes) {
        List<String> problems = new ArrayList<>();
        Set<String> absent = new TreeSet<>(classes.keySet());
        Set<ClassLoader> loaders = new HashSet<>(Set.of(ClassLoader.getSystemClassLoader()));
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            String name = loaded.getName().replace('.', '/');
            ClassLoader loader = loaded.getClassLoader();
            if (classes.containsKey(name)) {
                absent.remove(name);
                if (loader == null || !instrumentation.isModifiableClass(loaded)) {
                    problems.add(loaded.getName() + " can't be patched (expected: classes of the application)");
                }
            }
            if (loader != null && !loader.getClass().getName().contains(".reflect.")) {
                loaders.add(loader);
            }
        }
        classes.forEach((name, bytes) -> {
            int version = bytes.length < 8 ? 0 : ByteBuffer.wrap(bytes).getShort(6) & 0xFFFF;
            int known = FIRST_VERSION + Runtime.version().feature();
            if (version > known) {
                problems.add(name.replace('/', '.') + " is compiled for Java " + (version - FIRST_VERSION)
                        + " (expected: --release " + (known - FIRST_VERSION) + " or less)");
            }
        });
        loaders.remove(PatchOrder.class.getClassLoader());
        for (String name : absent) {
            if (loaders.stream().noneMatch(loader -> finds(loader, name))) {
                problems.add(
                        name.replace('/', '.') + " is new, and no class loader would find it (expected: classes that"
                                + " the application has; else restart the debug JVM with the "
                                + "classes in front of its own)");
            }
        }
        return problems.subList(0, Math.min(MOST_TOLD, problems.size()));
    }

    private static boolean finds(ClassLoader loader, String name) {
        try {
            return loader.getResource(name + ".class") != null;
        } catch (RuntimeException | LinkageError itsOwn) {
            return false;
        }
    }

    private List<String> change(String id, Map<String, byte[]> classes) {
        Map<String, byte[]> before = transformer.classes();
        Set<String> names = new HashSet<>(before.keySet());
        names.addAll(classes.keySet());
        transformer.patch(classes);
        Set<Class<?>> done = new HashSet<>();
        try {
            // a class that was just being loaded may have missed it
            for (List<Class<?>> left = loaded(names, done); !left.isEmpty(); left = loaded(names, done)) {
                instrumentation.retransformClasses(left.toArray(new Class<?>[0]));
                done.addAll(left);
            }
        } catch (UnmodifiableClassException | UnsupportedOperationException | LinkageError | InternalError refused) {
            List<String> problems = refused(refused);
            back(before, names);
            return problems;
        }
        inForce = id;
        long patched = done.stream()
                .filter(one -> classes.containsKey(one.getName().replace('.', '/')))
                .count();
        standing = id.isEmpty()
                ? "none"
                : id + ": " + patched + " classes changed, "
                        + classes.keySet().stream()
                                .filter(name -> done.stream()
                                        .noneMatch(one ->
                                                one.getName().replace('.', '/').equals(name)))
                                .count()
                        + " not loaded yet";
        return List.of();
    }

    private List<String> refused(Throwable refused) {
        List<String> problems = new ArrayList<>();
        for (String obstacle : transformer.obstacles()) {
            problems.add(obstacle
                    + ", which can't be changed in a running JVM; nothing was (restart the debug JVM with the classes"
                    + " in front of its own)");
        }
        if (problems.isEmpty()) {
            problems.add("the JVM refused it, nothing was changed: " + refused);
        }
        return problems.subList(0, Math.min(MOST_TOLD, problems.size()));
    }

    /** What was loaded in the meantime got the code that the JVM then refused. */
    private void back(Map<String, byte[]> before, Set<String> names) {
        transformer.patch(before);
        for (Class<?> one : loaded(names, Set.of())) {
            try {
                instrumentation.retransformClasses(one);
            } catch (UnmodifiableClassException | UnsupportedOperationException | LinkageError | InternalError asItIs) {
                standing = inForce + ": but " + one.getName() + " was loaded with what was refused";
            }
        }
    }

    private List<Class<?>> loaded(Set<String> names, Set<Class<?>> without) {
        List<Class<?>> found = new ArrayList<>();
        for (Class<?> one : instrumentation.getAllLoadedClasses()) {
            if (names.contains(one.getName().replace('.', '/'))
                    && one.getClassLoader() != null
                    && !without.contains(one)) {
                found.add(one);
            }
        }
        return found;
    }
}
