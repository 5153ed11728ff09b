package dev.understudy.agent.expression;

/** That a text isn't an expression or a message, and where. */
public final class ExpressionProblem extends Exception {
    private static final long serialVersionUID = 1;

    /** @param at its place in the text, from 0 */
    ExpressionProblem(int at, String problem) {
        super("column " + (at + 1) + ": " + problem, null, false, false);
    }

    /** {@code column 9: …}, from 1. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
