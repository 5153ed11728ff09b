package dev.understudy.agent.expression;

/** A word of an expression. Immutable. */
final class Token {
    enum Kind {
        NUMBER,
        TEXT,
        NAME,
        SYMBOL,
        END
    }

    final Kind kind;
    final String text;
    /** Where it begins, from 0. */
    final int at;

    Token(Kind kind, String text, int at) {
        this.kind = kind;
        this.text = text;
        this.at = at;
    }

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    @Override
    public String toString() {
        return kind == Kind.END ? "the end" : text;
    }
}
