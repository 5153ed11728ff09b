package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Probes;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Gives out the numbers of gates and probes and knows what they stand for.
 *
 * <p>A class that is woven again (another agent retransformed it) keeps its numbers. Probe 0 is nobody's; the
 * agent calibrates itself with it. Writers are guarded by this object; {@link #probe} and {@link #probes} are for
 * any thread.
 */
public final class ProbeDirectory {
    private static final int MOST_TOO_LARGE = 1000;

    private final WeakHashMap<ClassLoader, Map<String, WovenClass>> classes = new WeakHashMap<>();
    private final AtomicReferenceArray<@Nullable Probe> probes = new AtomicReferenceArray<>(Probes.CAPACITY);
    private volatile int nextProbe = 1;
    private volatile int nextGate;
    private volatile int leftOut;
    private final Set<String> tooLarge = new LinkedHashSet<>();

    /** The class's numbers, new ones if it hasn't been woven yet; null when no more classes can be woven. */
    synchronized @Nullable WovenClass woven(ClassLoader loader, String name) {
        Map<String, WovenClass> known = classes.get(loader);
        if (known == null) {
            known = new HashMap<>();
            classes.put(loader, known);
        }
        WovenClass woven = known.get(name);
        if (woven == null && nextGate < Gates.CAPACITY) {
            woven = new WovenClass(name, nextGate++);
            known.put(name, woven);
        }
        return woven;
    }

    /** Whether the class was loaded with an {@link OwnGate}. */
    synchronized boolean hasOwnGate(ClassLoader loader, String name) {
        WovenClass known = classes.getOrDefault(loader, Map.of()).get(name);
        return known != null && known.ownGate;
    }

    /** The class is given an {@link OwnGate}. */
    synchronized void givesOwnGate(WovenClass woven) {
        woven.ownGate = true;
    }

    /** The method's probe; -1 when no more methods can be woven. */
    synchronized int number(
            WovenClass woven, String method, String descriptor, boolean overloaded, List<String> annotations) {
        if (!tooLarge.isEmpty()) {
            tooLarge.remove(woven.name() + "#" + label(method, descriptor, overloaded)); // it fits again
        }
        Integer known = woven.probe(method + descriptor);
        if (known != null) {
            return known;
        }
        if (nextProbe >= Probes.CAPACITY) {
            leftOut++;
            return -1;
        }
        int probe = nextProbe;
        probes.set(probe, new Probe(woven, method, descriptor, overloaded, annotations));
        woven.add(method + descriptor, probe);
        nextProbe = probe + 1;
        return probe;
    }

    /**
     * The probes of a class that was kept; null when no more methods can be woven.
     *
     * @param named reads its methods, of which there are so many
     */
    synchronized int @Nullable [] numbers(WovenClass woven, int count, Supplier<List<Numbered.Method>> named) {
        int[] numbers = new int[count];
        if (!woven.isNew() || nextProbe + count > Probes.CAPACITY) {
            for (int n = 0; n < count; n++) {
                Numbered.Method method = named.get().get(n);
                numbers[n] = number(woven, method.name, method.descriptor, method.overloaded, method.annotations);
                if (numbers[n] < 0) {
                    return null;
                }
            }
            return numbers;
        }
        woven.keep(nextProbe, named);
        for (int n = 0; n < count; n++) {
            numbers[n] = nextProbe + n;
            probes.set(numbers[n], new Probe(woven, n));
        }
        nextProbe += count;
        return numbers;
    }

    /** The smallest number no probe has yet; the probes are 1 up to this. */
    public int probes() {
        return nextProbe;
    }

    /** How many methods weren't woven because all numbers are taken. */
    public int leftOut() {
        return leftOut;
    }

    /** The method isn't woven, since its code would become too large for the JIT or the class file. */
    synchronized void leaveOut(String className, String method) {
        if (tooLarge.size() < MOST_TOO_LARGE) {
            tooLarge.add(className + "#" + method);
        }
    }

    /** The methods that aren't woven since they would become too large: {@code com.shop.Cart#total}, at most 1000. */
    public synchronized List<String> tooLarge() {
        return List.copyOf(tooLarge);
    }

    /** How many classes were woven. */
    public int classes() {
        return nextGate;
    }

    /**
     * What a number stands for.
     *
     * @throws IllegalArgumentException if no probe has it
     */
    public Probe probe(int number) {
        Probe probe = probes.get(number);
        if (probe == null) {
            throw new IllegalArgumentException("probe: " + number + " (expected: 1 to " + (nextProbe - 1) + ")");
        }
        return probe;
    }

    /**
     * What people see of the methods of these classes, as {@link Probe#toString}, by class, name and descriptor: {@code
     * com.shop.Cart#total()I}.
     *
     * @param classNames with dots
     */
    public Map<String, String> labels(Set<String> classNames) {
        Map<String, String> labels = new HashMap<>();
        for (int number = 1; number < nextProbe; number++) {
            Probe probe = probe(number);
            if (classNames.contains(probe.className())) {
                labels.put(probe.className() + '#' + probe.name() + probe.descriptor(), probe.toString());
            }
        }
        return labels;
    }

    /** The method's name, with its parameters' short type names if the class has several of that name. */
    public static String label(String method, String descriptor, boolean overloaded) {
        return overloaded ? method + parameters(descriptor) : method;
    }

    private static String parameters(String descriptor) {
        StringBuilder text = new StringBuilder("(");
        for (Type type : Type.getArgumentTypes(descriptor)) {
            String name = type.getClassName();
            text.append(text.length() == 1 ? "" : ",").append(name.substring(name.lastIndexOf('.') + 1));
        }
        return text.append(')').toString();
    }
}
