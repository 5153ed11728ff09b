package dev.understudy.agent.carry;

import dev.understudy.agent.weave.Insertion;
import dev.understudy.agent.weave.MethodEdit;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Puts a call of ours in the place of, or just before, the one with which a task begins. */
final class Redirected extends Insertion {
    private final String owner;
    private final boolean virtual;

    private Redirected(String owner, boolean virtual) {
        super(0);
        this.owner = owner;
        this.virtual = virtual;
    }

    /** Where {@link Runnable#run} is called. */
    static MethodEdit toRun() {
        return toRunBy(TaskBracket.HANDOVER);
    }

    /** The same, by the class {@code owner}, named with slashes. */
    static MethodEdit toRunBy(String owner) {
        return new Redirected(owner, false);
    }

    /** Where a virtual thread calls its task, which is the last argument. */
    static MethodEdit toStarted() {
        return new Redirected(TaskBracket.HANDOVER, true);
    }

    @Override
    protected boolean replace(MethodVisitor code, String called, String name, String descriptor) {
        if (virtual) {
            if (name.equals("runWith") && descriptor.endsWith("Ljava/lang/Runnable;)V")) {
                call(code, "started", "(Ljava/lang/Runnable;)Ljava/lang/Runnable;");
            }
            return false;
        }
        boolean begins = name.equals("run")
                && descriptor.equals("()V")
                && (called.equals("java/lang/Runnable") || called.equals("java/util/TimerTask"));
        if (begins) {
            call(code, "run", "(Ljava/lang/Runnable;)V");
        }
        return begins;
    }

    private void call(MethodVisitor code, String name, String descriptor) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
    }
}
