package dev.understudy.agent.execution;

import dev.understudy.agent.bootstrap.Executions;
import dev.understudy.agent.weave.CodeSizes;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the methods whose calls are recorded, as long as it is installed. It comes after all others, so that it
 * changes what they made of a class. Safe for any threads.
 */
final class ExecutionTransformer implements ClassFileTransformer {
    /** HotSpot doesn't compile what is larger. */
    private static final int HUGE = 8_000;
    /** What is added to a method is less. */
    private static final int ADDED = 2_000;

    private static final int LARGEST = 60_000;

    private final Set<String> classes;
    private final Map<String, String> labels;
    private final ExecutedMethods methods;
    private final BiConsumer<String, Throwable> failures;

    /**
     * One for these classes, named with dots.
     *
     * @param labels of the methods that are woven, by class, name and descriptor
     * @param failures is told of classes that stay as they were
     */
    ExecutionTransformer(
            Set<String> classes,
            Map<String, String> labels,
            ExecutedMethods methods,
            BiConsumer<String, Throwable> failures) {
        this.classes = classes;
        this.labels = labels;
        this.methods = methods;
        this.failures = failures;
    }

    /** Whether it is for a class of that name, with dots. */
    boolean isFor(String className) {
        return classes.contains(className);
    }

    /** Whether it is for these classes and for no others. */
    boolean isForAll(Set<String> others) {
        return classes.equals(others);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (loader == null || name == null || !isFor(name.replace('/', '.'))) {
            return null;
        }
        try {
            return woven(name.replace('/', '.'), new ClassReader(classFile));
        } catch (Throwable problem) {
            failures.accept(name.replace('/', '.'), problem);
            return null;
        }
    }

    private byte[] woven(String className, ClassReader reader) {
        ClassWriter writer = new ClassWriter(reader, 0);
        CodeSizes sizes = CodeSizes.of(reader);
        boolean frames = reader.readUnsignedShort(6) >= Opcodes.V1_6;
        ClassVisitor weaver = new ClassVisitor(Opcodes.ASM9, writer) {
            private int index;

            @Override
            public MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                int bytes = sizes.bytes(index++);
                String label = labels.get(className + '#' + name + descriptor);
                if (label == null || !mayGrow(bytes)) {
                    return next;
                }
                ExecutedMethod method = methods.of(
                        label,
                        descriptor,
                        (access & Opcodes.ACC_STATIC) != 0,
                        name.equals("<init>"),
                        Type.getArgumentTypes(descriptor).length);
                return method == null ? next : new ExecutionVisitor(next, method, name, descriptor, frames);
            }
        };
        reader.accept(weaver, ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    /** Whether a method stays compiled as it was, and in its class file. */
    private static boolean mayGrow(int bytes) {
        return bytes > 0 && bytes < LARGEST && (bytes + ADDED < HUGE || bytes >= HUGE);
    }

    /** The methods that have numbers, which they keep. For any threads. */
    static final class ExecutedMethods {
        private final Map<String, ExecutedMethod> known = new ConcurrentHashMap<>();
        private final List<ExecutedMethod> all = new ArrayList<>(); // guarded by this

        /** Null when no more numbers are left. */
        private @Nullable ExecutedMethod of(
                String label, String descriptor, boolean isStatic, boolean isConstructor, int parameters) {
            return known.computeIfAbsent(label + ' ' + descriptor, first -> {
                synchronized (this) {
                    if (all.size() >= Executions.CAPACITY) {
                        return null;
                    }
                    ExecutedMethod method = new ExecutedMethod(all.size(), label, isStatic, isConstructor, parameters);
                    all.add(method);
                    return method;
                }
            });
        }

        /** The one with that number. */
        synchronized ExecutedMethod get(int number) {
            return all.get(number);
        }
    }
}
