package dev.understudy.agent.logging;

import dev.understudy.agent.weave.JdkEdits;
import dev.understudy.agent.weave.MethodEdit;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.function.BiConsumer;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** Weaves the known logging frameworks as they are loaded, so that they tell of errors; safe for any threads. */
public final class LoggingTransformer implements ClassFileTransformer {
    private final JdkEdits edits;
    private final BiConsumer<String, Throwable> failures;

    /** Failures are told by class name and leave the class as it was. */
    public LoggingTransformer(BiConsumer<String, Throwable> failures) {
        this(JdkEdits.unkept(), failures);
    }

    /** The same; it changes the JDK's classes by {@code edits}. */
    public LoggingTransformer(JdkEdits edits, BiConsumer<String, Throwable> failures) {
        this.edits = edits;
        this.failures = failures;
    }

    /** The JDK's class that is, with slashes. */
    public static String ofJdk() {
        return Logger.OF_JDK;
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
            byte[] kept = edits.kept(loader, logger.className, redefined != null, classFile);
            if (kept != null) {
                return kept;
            }
            if (MethodEdit.version(classFile) < Opcodes.V1_5) {
                throw new IllegalArgumentException("compiled for a Java before 5");
            }
            return edits.apply(
                    loader,
                    logger.className,
                    redefined != null,
                    classFile,
                    Map.of(logger.method, (next, slots) -> TellingVisitor.of(next, logger)));
        } catch (Throwable problem) {
            failures.accept(logger.className.replace('/', '.'), problem);
            return null;
        }
    }
}
