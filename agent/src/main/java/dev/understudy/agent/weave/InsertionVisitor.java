package dev.understudy.agent.weave;

import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Has an {@link Insertion} emit its code where it belongs. */
final class InsertionVisitor extends MethodVisitor {
    private final Insertion insertion;

    private InsertionVisitor(MethodVisitor next, Insertion insertion) {
        super(Opcodes.ASM9, next);
        this.insertion = insertion;
    }

    /** Whoever calls this is loaded without this class. */
    static MethodVisitor of(MethodVisitor next, Insertion insertion) {
        return new InsertionVisitor(next, insertion);
    }

    @Override
    public void visitCode() {
        super.visitCode();
        insertion.enter(mv);
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            insertion.leave(mv, opcode);
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        if (!insertion.replace(mv, owner, name, descriptor)) {
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        }
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(maxStack + insertion.deeper(), maxLocals);
    }
}
