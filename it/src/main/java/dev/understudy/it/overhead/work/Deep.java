package dev.understudy.it.overhead.work;

/** As {@link Teller}, with what is told of on the second level alone. */
public final class Deep {
    private final Callee callee = new Callee();
    private boolean negative;
    private long last;

    /** Nothing. */
    public void plain() {
        callee.step();
    }

    /** A jump. */
    public void jump() {
        if (callee.step() < 0) {
            negative = !negative;
        }
    }

    /** A number that is stored. */
    public void number() {
        last = callee.step();
    }

    /** An argument that is a text. */
    public void text(String text) {
        callee.step();
    }

    @Override
    public String toString() {
        return negative + " " + last;
    }
}
