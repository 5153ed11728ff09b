package dev.understudy.agent.logging;

import dev.understudy.agent.bootstrap.Logged;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Has a framework's method tell of its first argument before it does anything else; class files of Java 5 and later.
 */
final class TellingVisitor extends MethodVisitor {
    private static final int DEEPEST = 3;

    private final Logger logger;

    private TellingVisitor(MethodVisitor next, Logger logger) {
        super(Opcodes.ASM9, next);
        this.logger = logger;
    }

    /** Whoever calls this is loaded without this class. */
    static MethodVisitor of(MethodVisitor next, Logger logger) {
        return new TellingVisitor(next, logger);
    }

    @Override
    public void visitCode() {
        super.visitCode();
        mv.visitVarInsn(Opcodes.ALOAD, 1);
        mv.visitLdcInsn(Type.getObjectType(logger.className));
        mv.visitLdcInsn(logger.words);
        mv.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                Type.getInternalName(Logged.class),
                "event",
                "(Ljava/lang/Object;Ljava/lang/Class;Ljava/lang/String;)V",
                false);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(Math.max(maxStack, DEEPEST), maxLocals);
    }
}
