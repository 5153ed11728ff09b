package dev.understudy.agent.carry;

import dev.understudy.agent.bootstrap.Coroutines;
import dev.understudy.agent.bootstrap.Handover;
import dev.understudy.agent.weave.Bracket;
import dev.understudy.agent.weave.ClassNames;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Takes up the exchange of a task while a method of the task's own lasts. */
enum TaskBracket implements Bracket {
    EXECUTE("execute"),
    FIRE("fire"),
    LAUNCH("launched"),
    OWN("own"),
    RESUME(ClassNames.of(Coroutines.class), "resumed");

    static final String HANDOVER = ClassNames.of(Handover.class);

    private final String owner;
    private final String begins;

    TaskBracket(String begins) {
        this(ClassNames.of(Handover.class), begins);
    }

    TaskBracket(String owner, String begins) {
        this.owner = owner;
        this.begins = begins;
    }

    @Override
    public void enter(MethodVisitor code) {
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, begins, "(Ljava/lang/Object;)Ljava/lang/Object;", false);
    }

    @Override
    public void exit(MethodVisitor code, int slot) {
        code.visitVarInsn(Opcodes.ALOAD, slot);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, HANDOVER, "end", "(Ljava/lang/Object;)V", false);
    }

    @Override
    public void thrown(MethodVisitor code) {
        code.visitMethodInsn(
                Opcodes.INVOKESTATIC, HANDOVER, "thrown", "(Ljava/lang/Throwable;Ljava/lang/Object;)V", false);
    }
}
