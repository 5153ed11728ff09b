package dev.understudy.it.steer;

/** The money that a till took. Guarded by itself. */
@Listed
final class Drawer {
    private int cents;

    synchronized void take(int more) {
        cents += more;
    }

    synchronized String counted() {
        return cents + " cents";
    }
}
