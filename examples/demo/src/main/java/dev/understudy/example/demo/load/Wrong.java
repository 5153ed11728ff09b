package dev.understudy.example.demo.load;

/** An answer that isn't what the service promises. */
final class Wrong extends Exception {
    private static final long serialVersionUID = 1L;

    Wrong(String what) {
        super(what);
    }
}
