package dev.understudy.it.steer;

/** The money that a till took. Guarded by itself. */
@Listed
final class Drawer {
    /** What nobody may see who looks at a till. */
    final String password = "hunter2-and-more";

    private int cents;

    synchronized void take(int more) {
        cents += more;
    }

    synchronized String counted() {
        return cents + " cents";
    }
}
