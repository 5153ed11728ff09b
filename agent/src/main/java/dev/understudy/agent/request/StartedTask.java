package dev.understudy.agent.request;

import dev.understudy.agent.bootstrap.ServedExchanges;
import dev.understudy.agent.weave.MethodEdit;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** Watches the task that a servlet container is asked to start for a request ({@code AsyncContext.start}). */
final class StartedTask extends MethodVisitor {
    static final List<String> CONTEXTS = List.of(
            "org/apache/catalina/core/AsyncContextImpl",
            "io/undertow/servlet/spec/AsyncContextImpl",
            "org/eclipse/jetty/server/AsyncContextState",
            "org/eclipse/jetty/ee8/nested/AsyncContextState",
            "org/eclipse/jetty/ee9/nested/AsyncContextState",
            "org/eclipse/jetty/ee10/servlet/AsyncContextState",
            "org/eclipse/jetty/ee11/servlet/AsyncContextState");

    private static final Map<String, MethodEdit> START =
            Map.of("start(Ljava/lang/Runnable;)V", (next, slots) -> new StartedTask(next));

    private StartedTask(MethodVisitor next) {
        super(Opcodes.ASM9, next);
    }

    /**
     * What is changed in a class, named with slashes, under whatever package a jar that brings all it needs has put it.
     */
    static Map<String, MethodEdit> of(String className) {
        for (String context : CONTEXTS) {
            int prefix = className.length() - context.length();
            if (className.endsWith(context) && (prefix == 0 || className.charAt(prefix - 1) == '/')) {
                return START;
            }
        }
        return Map.of();
    }

    @Override
    public void visitCode() {
        super.visitCode();
        super.visitVarInsn(Opcodes.ALOAD, 1);
        super.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                Type.getInternalName(ServedExchanges.class),
                "started",
                "(Ljava/lang/Runnable;)Ljava/lang/Runnable;",
                false);
        super.visitVarInsn(Opcodes.ASTORE, 1);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(Math.max(maxStack, 1), maxLocals);
    }
}
