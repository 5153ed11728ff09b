package dev.understudy.agent.weave;

import net.bytebuddy.jar.asm.MethodVisitor;

/** What is called around a method's body, as byte code that keeps a token between entry and exit. */
public interface Bracket {
    /** Emits code that leaves the token, an object or null, on the stack; may use three stack slots. */
    void enter(MethodVisitor code);

    /**
     * Emits code before a return, which leaves on the stack what is returned, if anything; may use three stack slots.
     *
     * @param slot the local variable that holds the token
     */
    void exit(MethodVisitor code, int slot);

    /** Emits code that takes a throwable and above it the token off the stack, before it is thrown on. */
    void thrown(MethodVisitor code);
}
