package dev.understudy.agent.request;

import dev.understudy.agent.bootstrap.OtherServers;
import dev.understudy.agent.weave.MethodEdit;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Has OpenTelemetry's agent tell which spans its servers' threads work for: where a thread's context changes, and where
 * a span ends.
 *
 * <p>Its names are put together here, since the building of the agent's jar would take them for those of its own
 * libraries.
 */
final class OtherAgentEdits extends MethodVisitor {
    private static final String SHADED = String.join("/", "io", "opentelemetry/javaagent/shaded/");
    private static final String CONTEXT = SHADED + String.join("/", "io", "opentelemetry/context/");
    private static final String STORAGE = CONTEXT + "ThreadLocalContextStorage";
    private static final MethodEdit CHANGED = (next, slots) -> new OtherAgentEdits(next, false);

    private static final Map<String, Map<String, MethodEdit>> ALL = Map.of(
            STORAGE,
            Map.of("attach(L" + CONTEXT + "Context;)L" + CONTEXT + "Scope;", CHANGED),
            STORAGE + "$ScopeImpl",
            Map.of("close()V", CHANGED),
            SHADED + "instrumentation/api/instrumenter/Instrumenter",
            Map.of(
                    "end(L" + CONTEXT + "Context;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Throwable;)V",
                    (next, slots) -> new OtherAgentEdits(next, true)));

    private final boolean ends;

    private OtherAgentEdits(MethodVisitor next, boolean ends) {
        super(Opcodes.ASM9, next);
        this.ends = ends;
    }

    /** The classes that are changed, with slashes. */
    static Set<String> classes() {
        return ALL.keySet();
    }

    /** What is changed in a class, named with slashes. */
    static Map<String, MethodEdit> of(String className) {
        return ALL.getOrDefault(className, Map.of());
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (ends) {
            super.visitVarInsn(Opcodes.ALOAD, 1);
            super.visitVarInsn(Opcodes.ALOAD, 4);
            tell("ended", "(Ljava/lang/Object;Ljava/lang/Throwable;)V");
        }
    }

    @Override
    public void visitInsn(int opcode) {
        if (!ends && (opcode == Opcodes.ARETURN || opcode == Opcodes.RETURN)) {
            tell("changed", "()V");
        }
        super.visitInsn(opcode);
    }

    private void tell(String what, String descriptor) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, Type.getInternalName(OtherServers.class), what, descriptor, false);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(Math.max(maxStack, 2), maxLocals);
    }
}
