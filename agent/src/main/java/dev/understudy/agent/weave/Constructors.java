package dev.understudy.agent.weave;

import java.util.HashMap;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Which constructors of a class file get a place-holder, and behind which call: that of another constructor of the object's own.
 *
 * <p>Before it nothing may be done with the object, and no handler may stand around it. Left out are those that only store values
 * behind it, which call nothing and decide nothing, and those of throwables, which are made wherever an exchange fails. For one class
 * file; confined to its weaving.
 */
final class Constructors {
    private static final String OBJECT = "java/lang/Object";

    private final Map<String, ConstructorBegin> begins = new HashMap<>();

    private Constructors() {}

    /** Reads the code of the constructors that are larger than {@code bytes}. */
    static Constructors of(ClassReader reader, CodeSizes sizes, int bytes) {
        Constructors constructors = new Constructors();
        String parent = reader.getSuperName();
        if (parent == null || isThrowable(reader.getClassName(), parent)) {
            return constructors;
        }
        ClassVisitor finder = new ClassVisitor(Opcodes.ASM9) {
            private int method;

            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                if (sizes.bytes(method++) <= bytes || !name.equals("<init>")) {
                    return null;
                }
                ConstructorBegin begin = new ConstructorBegin(reader.getClassName(), parent);
                constructors.begins.put(descriptor, begin);
                return begin;
            }
        };
        reader.accept(finder, ClassReader.SKIP_DEBUG | ClassReader.EXPAND_FRAMES);
        return constructors;
    }

    /**
     * Behind how many calls of constructors that are in its code, counted as they stand there, the constructor with that descriptor is
     * its object's; 0 if it gets no place-holder.
     */
    int begin(String descriptor) {
        ConstructorBegin begin = begins.get(descriptor);
        return begin == null ? 0 : begin.calls();
    }

    /** By names alone: while a class is loaded its parents can't be asked. */
    private static boolean isThrowable(String name, String parent) {
        return !parent.equals(OBJECT) && (soundsThrowable(name) || soundsThrowable(parent));
    }

    private static boolean soundsThrowable(String name) {
        return name.endsWith("Exception") || name.endsWith("Error") || name.endsWith("Throwable");
    }
}
