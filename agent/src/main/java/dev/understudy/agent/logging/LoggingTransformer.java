package dev.understudy.agent.logging;

import dev.understudy.agent.weave.MethodEdit;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.function.BiConsumer;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** Weaves the known logging frameworks as they are loaded, so that they tell of errors; safe for any threads. */
public final class LoggingTransformer implements ClassFileTransformer {
    private final BiConsumer<String, Throwable> failures;

    /** Failures are told by class name and leave the class as it was. */
    public LoggingTransformer(BiConsumer<String, Throwable> failures) {
        this.failures = failures;
    }

    /** Whether the class, named with dots, is told what is logged. */
    public static boolean knows(String name) {
        return Logger.of(name.replace('.', '/')) != null;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        Logger logger = name == null ? null : Logger.of(name);
        if (logger == null) {
            return null;
        }
        try {
            if (MethodEdit.version(classFile) < Opcodes.V1_5) {
                throw new IllegalArgumentException("compiled for a Java before 5");
            }
            return MethodEdit.apply(
                    Map.of(logger.method, (next, slots) -> new TellingVisitor(next, logger)), classFile);
        } catch (Throwable problem) {
            failures.accept(logger.className.replace('/', '.'), problem);
            return null;
        }
    }
}
