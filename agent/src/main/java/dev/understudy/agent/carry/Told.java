package dev.understudy.agent.carry;

import dev.understudy.agent.weave.Insertion;
import dev.understudy.agent.weave.MethodEdit;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Tells of one of a method's arguments, at its entry or before it returns nothing; the method's own variables aren't
 * changed yet.
 */
final class Told extends Insertion {
    private final String owner;
    private final String what;
    private final int slot;
    private final boolean atEntry;

    private Told(String owner, String what, int slot, boolean atEntry) {
        super(1);
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
        return new Told(owner, what, slot, true);
    }

    /** The class {@code owner}, named with slashes, is told. */
    static MethodEdit beforeReturn(String owner, String what, int slot) {
        return new Told(owner, what, slot, false);
    }

    /** At the entry of a method of a timer's queue, of the task that is the next. */
    static MethodEdit ofFirst() {
        return new OfFirst();
    }

    @Override
    protected void enter(MethodVisitor code) {
        if (atEntry) {
            tell(code);
        }
    }

    @Override
    protected void leave(MethodVisitor code, int opcode) {
        if (opcode == Opcodes.RETURN && !atEntry) {
            tell(code);
        }
    }

    private void tell(MethodVisitor code) {
        code.visitVarInsn(Opcodes.ALOAD, slot);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, what, "(Ljava/lang/Object;)V", false);
    }

    private static final class OfFirst extends Insertion {
        OfFirst() {
            super(1);
        }

        @Override
        protected void enter(MethodVisitor code) {
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitMethodInsn(
                    Opcodes.INVOKEVIRTUAL, "java/util/TaskQueue", "getMin", "()Ljava/util/TimerTask;", false);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, TaskBracket.HANDOVER, "before", "(Ljava/lang/Object;)V", false);
        }
    }
}
