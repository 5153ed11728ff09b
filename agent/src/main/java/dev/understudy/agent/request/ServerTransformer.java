package dev.understudy.agent.request;

import dev.understudy.agent.weave.JdkEdits;
import dev.understudy.agent.weave.MethodEdit;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** Weaves the known servers' entry points, and the JDK's sockets, as their classes are loaded; safe for any threads. */
public final class ServerTransformer implements ClassFileTransformer {
    private final JdkEdits edits;
    private final BiConsumer<String, Throwable> failures;

    /** A transformer for all known servers; failures are told by class name and leave the class as it was. */
    public ServerTransformer(BiConsumer<String, Throwable> failures) {
        this(JdkEdits.unkept(), failures);
    }

    /** The same; it changes the JDK's classes by {@code edits}. */
    public ServerTransformer(JdkEdits edits, BiConsumer<String, Throwable> failures) {
        this.edits = edits;
        this.failures = failures;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (name == null || !isKnown(name)) {
            return null;
        }
        try {
            byte[] kept = edits.kept(loader, name, redefined != null, classFile);
            return kept == null
                    ? edits.apply(loader, name, redefined != null, classFile, edits(name, classFile))
                    : kept;
        } catch (Throwable problem) {
            failures.accept(String.valueOf(name).replace('/', '.'), problem);
            return null;
        }
    }

    /** The JDK's classes that have one, with slashes. */
    public static Set<String> ofJdk() {
        return ServedClasses.OF_JDK;
    }

    /** Whether the class, named with dots, has an entry point. */
    public boolean knows(String name) {
        return isKnown(name.replace('.', '/'));
    }

    private static boolean isKnown(String name) {
        return ServedClasses.mayBe(name)
                && (ServedClasses.OF_JDK.contains(name)
                        || !SocketBracket.of(name).isEmpty()
                        || !ServerEntry.of(name).isEmpty()
                        || !StartedTask.of(name).isEmpty()
                        || !OtherAgentEdits.of(name).isEmpty());
    }

    private static Map<String, MethodEdit> edits(String name, byte[] classFile) {
        int version = MethodEdit.version(classFile);
        if (version < Opcodes.V1_5) {
            throw new IllegalArgumentException("compiled for a Java before 5: its exchanges aren't followed");
        }
        Map<String, MethodEdit> edits = new HashMap<>(StartedTask.of(name));
        edits.putAll(OtherAgentEdits.of(name));
        SocketBracket.of(name).forEach((method, bracket) -> edits.put(method, MethodEdit.around(bracket, version)));
        for (ServerEntry entry : ServerEntry.of(name)) {
            edits.put(
                    entry.method + entry.descriptor,
                    MethodEdit.around(ExchangeBracket.of(entry, name, version), version));
        }
        return edits;
    }
}
