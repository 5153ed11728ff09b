package dev.understudy.agent.weave;

import net.bytebuddy.jar.asm.Type;

/** As which type the agent's hooks take a value of woven code: objects as such, small numbers as int. Stateless. */
public final class HookDescriptor {
    private HookDescriptor() {}

    /** The type's descriptor there. */
    public static String of(Type type) {
        if (type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY) {
            return "Ljava/lang/Object;";
        }
        return type.getSort() == Type.BYTE || type.getSort() == Type.SHORT ? "I" : type.getDescriptor();
    }
}
