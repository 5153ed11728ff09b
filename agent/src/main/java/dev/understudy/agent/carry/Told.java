package dev.understudy.agent.carry;

import dev.understudy.agent.weave.MethodEdit;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Tells of one of a method's arguments, at its entry or before it returns; the method's own variables aren't changed yet. */
final class Told extends MethodVisitor {
    private final String owner;
    private final String what;
    private final int slot;
    private final boolean atEntry;

    private Told(MethodVisitor next, String owner, String what, int slot, boolean atEntry) {
        super(Opcodes.ASM9, next);
        this.owner = owner;
        this.what = what;
        this.slot = slot;
        this.atEntry = atEntry;
    }

    static MethodEdit atEntry(String what, int slot) {
        return atEntry(TaskBracket.HANDOVER, what, slot);
    }

    /** The class {@code owner}, named with slashes, is told. */
    static MethodEdit atEntry(String owner, String what, int slot) {
        return (next, slots) -> new Told(next, owner, what, slot, true);
    }

    /** The class {@code owner}, named with slashes, is told. */
    static MethodEdit beforeReturn(String owner, String what, int slot) {
        return (next, slots) -> new Told(next, owner, what, slot, false);
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

    /** At the entry of a method of a timer's queue, of the task that is the next. */
    static MethodEdit ofFirst() {
        return (next, slots) -> new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitCode() {
                super.visitCode();
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitMethodInsn(
                        Opcodes.INVOKEVIRTUAL, "java/util/TaskQueue", "getMin", "()Ljava/util/TimerTask;", false);
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC, TaskBracket.HANDOVER, "before", "(Ljava/lang/Object;)V", false);
            }

            @Override
            public void visitMaxs(int maxStack, int maxLocals) {
                super.visitMaxs(Math.max(maxStack, 1), maxLocals);
            }
        };
    }

    private void tell() {
        mv.visitVarInsn(Opcodes.ALOAD, slot);
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, owner, what, "(Ljava/lang/Object;)V", false);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(maxStack + 1, maxLocals);
    }
}
