package dev.understudy.agent.weave;

import net.bytebuddy.jar.asm.MethodVisitor;

/**
 * What is put into a method at its entry, before it returns, and before or in the place of calls. It may be put in
 * without taking the class file apart; code that it emits has no jumps, and leaves the variables and what is on the
 * stack as they are.
 */
public abstract class Insertion implements MethodEdit {
    /** How much deeper the stack is at most. */
    private final int deeper;

    protected Insertion(int deeper) {
        this.deeper = deeper;
    }

    int deeper() {
        return deeper;
    }

    /** Emits code at the entry. */
    protected void enter(MethodVisitor code) {
        // nothing, unless it says otherwise
    }

    /** Emits code before a return by {@code opcode}. */
    protected void leave(MethodVisitor code, int opcode) {
        // nothing, unless it says otherwise
    }

    /**
     * Emits code before a call, of which it finds the arguments on the stack.
     *
     * @return whether it is in the call's place
     */
    protected boolean replace(MethodVisitor code, String owner, String name, String descriptor) {
        return false;
    }

    @Override
    public final MethodVisitor over(MethodVisitor next, int slots) {
        return InsertionVisitor.of(next, this);
    }
}
