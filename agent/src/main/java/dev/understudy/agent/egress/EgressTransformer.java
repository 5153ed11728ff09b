package dev.understudy.agent.egress;

import dev.understudy.agent.loading.Reach;
import dev.understudy.agent.weave.JdkEdits;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Has classes that open connections ask first, as they are loaded. Safe for any threads.
 *
 * <p>What it makes is kept nowhere: a cache that knows nothing of the setting would bring classes that don't ask.
 */
final class EgressTransformer implements ClassFileTransformer {
    private final JdkEdits edits = JdkEdits.unkept();
    private final Reach reach;
    private final BiConsumer<String, String> failures;
    private final Set<String> guarded = ConcurrentHashMap.newKeySet();

    /** @param failures gets the names, with dots, of classes that don't ask, and why */
    EgressTransformer(Reach reach, BiConsumer<String, String> failures) {
        this.reach = reach;
        this.failures = failures;
    }

    /** Whether a class of that name, with dots, asks first. */
    boolean guards(String name) {
        return guarded.contains(name);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        ConnectPlace place = name == null ? null : ConnectPlace.of(name);
        if (name == null || place == null) {
            return null;
        }
        String dotted = name.replace('/', '.');
        try {
            if (!reach.reaches(loader)) {
                failures.accept(dotted, "its class loader doesn't lead to the agent");
                return null;
            }
            Set<String> met = new TreeSet<>();
            Set<String> asking = new TreeSet<>();
            byte[] edited = edits.apply(loader, name, redefined != null, classFile, place.edits(met, asking));
            if (asking.isEmpty() || !asking.containsAll(met)) {
                met.removeAll(asking);
                failures.accept(dotted, "this version of it connects in a way that isn't known" + in(met));
            } else {
                guarded.add(dotted);
            }
            return asking.isEmpty() ? null : edited;
        } catch (Throwable problem) {
            failures.accept(dotted, problem.toString());
            return null;
        }
    }

    private static String in(Set<String> methods) {
        return methods.isEmpty() ? "" : ", in " + String.join(", ", methods);
    }
}
