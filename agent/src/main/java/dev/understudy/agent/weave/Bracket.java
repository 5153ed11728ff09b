package dev.understudy.agent.weave;

import net.bytebuddy.jar.asm.MethodVisitor;

/** What is called around a method's body, as byte code that keeps a token between entry and exit. */
public interface Bracket {
    /** Emits code that leaves the token, an object or null, on the stack; may use three stack slots. */
    void enter(MethodVisitor code);

    /** Emits code that takes the token off the stack, before a return. */
    void exit(MethodVisitor code);

    /** Emits code that takes a throwable and above it the token off the stack, before it is thrown on. */
    void thrown(MethodVisitor code);
}
