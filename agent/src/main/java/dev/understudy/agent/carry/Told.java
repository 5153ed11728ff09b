package dev.understudy.agent.carry;

import dev.understudy.agent.weave.MethodEdit;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Tells of one of a method's arguments, at its entry or before it returns; the method's own variables aren't changed yet. */
final class Told extends MethodVisitor {
    private final String what;
    private final int slot;
    private final boolean atEntry;

    private Told(MethodVisitor next, String what, int slot, boolean atEntry) {
        super(Opcodes.ASM9, next);
        this.what = what;
        this.slot = slot;
        this.atEntry = atEntry;
    }

    static MethodEdit atEntry(String what, int slot) {
        return (next, slots) -> new Told(next, what, slot, true);
    }

    static MethodEdit beforeReturn(String what, int slot) {
        return (next, slots) -> new Told(next, what, slot, false);
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (atEntry) {
            tell();
        }
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode == Opcodes.RETURN && !atEntry) {
            tell();
        }
        super.visitInsn(opcode);
    }

    private void tell() {
        mv.visitVarInsn(Opcodes.ALOAD, slot);
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, TaskBracket.HANDOVER, what, "(Ljava/lang/Object;)V", false);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(maxStack + 1, maxLocals);
    }
}
