package dev.understudy.agent.weave;

import net.bytebuddy.jar.asm.MethodVisitor;

/** Puts a bracket around a method's body. */
final class AroundBody implements MethodEdit {
    /** Of the stack: what is returned, and what the bracket puts beside it. */
    static final int DEEPER = 3;

    final Bracket bracket;
    private final boolean frames;

    /** @param frames whether the class file has stack map frames */
    AroundBody(Bracket bracket, boolean frames) {
        this.bracket = bracket;
        this.frames = frames;
    }

    @Override
    public MethodVisitor over(MethodVisitor next, int slots) {
        return BracketVisitor.of(next, bracket, slots, frames);
    }
}
