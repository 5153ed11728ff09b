package dev.understudy.agent.carry;

import dev.understudy.agent.weave.MethodEdit;
import java.util.Set;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Puts a call of ours in the place of, or just before, the one with which a task begins. */
final class Redirected extends MethodVisitor {
    private static final Set<String> TASKS = Set.of("java/lang/Runnable", "java/util/TimerTask");

    private final String owner;
    private final boolean virtual;

    private Redirected(MethodVisitor next, String owner, boolean virtual) {
        super(Opcodes.ASM9, next);
        this.owner = owner;
        this.virtual = virtual;
    }

    /** Where {@link Runnable#run} is called. */
    static MethodEdit toRun() {
        return toRunBy(TaskBracket.HANDOVER);
    }

    /** The same, by the class {@code owner}, named with slashes. */
    static MethodEdit toRunBy(String owner) {
        return (next, slots) -> new Redirected(next, owner, false);
    }

    /** Where a virtual thread calls its task, which is the last argument. */
    static MethodEdit toStarted() {
        return (next, slots) -> new Redirected(next, TaskBracket.HANDOVER, true);
    }

    @Override
    public void visitMethodInsn(int opcode, String called, String name, String descriptor, boolean ofInterface) {
        if (virtual) {
            if (name.equals("runWith") && descriptor.endsWith("Ljava/lang/Runnable;)V")) {
                call("started", "(Ljava/lang/Runnable;)Ljava/lang/Runnable;");
            }
        } else if (TASKS.contains(called) && name.equals("run") && descriptor.equals("()V")) {
            call("run", "(Ljava/lang/Runnable;)V");
            return;
        }
        super.visitMethodInsn(opcode, called, name, descriptor, ofInterface);
    }

    private void call(String name, String descriptor) {
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
    }
}
