package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Allocations;
import dev.understudy.agent.weave.VisitedEdits;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Has the constructors of the few classes that are watched tell of each object at their end; safe for any threads.
 *
 * <p>To be installed behind what weaves place-holders. It adds no jump, so no frame changes, and the object is whole
 * where it is told of.
 */
public final class ConstructorTransformer implements ClassFileTransformer {
    private static final String ALLOCATIONS = Type.getInternalName(Allocations.class);

    private volatile Map<String, Integer> watched = Map.of();

    /** From now on these are watched: their names with slashes, and their numbers. */
    void watch(Map<String, Integer> classes) {
        watched = Map.copyOf(classes);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        Integer number = name == null ? null : watched.get(name);
        if (name == null || number == null) {
            return null;
        }
        try {
            return VisitedEdits.apply(
                    Map.of("<init>", (next, slots) -> new Constructor(next, name, number)), classFile);
        } catch (Throwable problem) {
            // the class stays as it was, and no site of its objects is told
            return null;
        }
    }

    private static final class Constructor extends MethodVisitor {
        private final String className;
        private final int number;
        private int unfinished;
        private boolean begun;
        private boolean silent;

        Constructor(MethodVisitor next, String className, int number) {
            super(Opcodes.ASM9, next);
            this.className = className;
            this.number = number;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            super.visitTypeInsn(opcode, type);
            unfinished += opcode == Opcodes.NEW ? 1 : 0;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
            if (opcode != Opcodes.INVOKESPECIAL || !name.equals("<init>") || begun) {
                return;
            }
            if (unfinished > 0) {
                unfinished--;
            } else {
                begun = true;
                silent |= owner.equals(className); // the other constructor tells
            }
        }

        @Override
        public void visitVarInsn(int opcode, int slot) {
            super.visitVarInsn(opcode, slot);
            silent |= opcode == Opcodes.ASTORE && slot == 0;
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN && !silent) {
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitIntInsn(Opcodes.SIPUSH, number);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, ALLOCATIONS, "made", "(Ljava/lang/Object;I)V", false);
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(maxStack + 2, maxLocals);
        }
    }
}
