package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Uses;
import dev.understudy.agent.weave.CodeSizes;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Has the methods of the few classes that are watched tell that their object is used, as they begin; safe for any
 * threads.
 *
 * <p>Left out are static, private and synthetic methods, constructors, what collections call of everything they hold
 * ({@code hashCode} and the like), and methods that the JIT would no longer compile. To be installed behind what weaves
 * place-holders. It adds no jump, so no frame changes.
 */
public final class UseTransformer implements ClassFileTransformer {
    private static final String USES = Type.getInternalName(Uses.class);
    private static final int NOT_FROM_OUTSIDE = Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC;
    private static final Set<String> HOUSEKEEPING =
            Set.of("hashCode()I", "equals(Ljava/lang/Object;)Z", "toString()Ljava/lang/String;", "finalize()V");
    /** HotSpot's HugeMethodLimit, less what is added. */
    private static final int LARGEST = 8000 - 4;

    private volatile Set<String> watched = Set.of();

    /** From now on these are watched: their names with slashes. */
    void watch(Set<String> classes) {
        watched = Set.copyOf(classes);
    }

    /** The classes that are watched, with slashes. */
    Set<String> watched() {
        return watched;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (name == null || !watched.contains(name)) {
            return null;
        }
        try {
            return woven(classFile);
        } catch (Throwable problem) {
            // the class stays as it was, and no use of its objects is told
            return null;
        }
    }

    private static byte[] woven(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        CodeSizes sizes = CodeSizes.of(reader);
        List<Integer> lines = FirstLines.of(reader);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    private int index;

                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                        int line = lines.get(index);
                        int bytes = sizes.bytes(index++);
                        boolean tells = bytes > 0
                                && bytes <= LARGEST
                                && (access & NOT_FROM_OUTSIDE) == 0
                                && !name.startsWith("<")
                                && !isHousekeeping(name, descriptor);
                        return tells ? new Telling(next, line) : next;
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static boolean isHousekeeping(String name, String descriptor) {
        return HOUSEKEEPING.contains(name + descriptor) || (name.equals("compareTo") && descriptor.endsWith(";)I"));
    }

    private static final class Telling extends MethodVisitor {
        private final int line;

        Telling(MethodVisitor next, int line) {
            super(Opcodes.ASM9, next);
            this.line = line;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (line > 0) {
                Label begin = new Label();
                super.visitLabel(begin);
                super.visitLineNumber(line, begin);
            }
            super.visitVarInsn(Opcodes.ALOAD, 0);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, USES, "used", "(Ljava/lang/Object;)V", false);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(Math.max(1, maxStack), maxLocals);
        }
    }
}
