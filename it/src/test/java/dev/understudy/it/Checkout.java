package dev.understudy.it;

import java.nio.file.Path;

/** The checkout that is being tested. */
final class Checkout {
    private Checkout() {}

    /** The folder with {@code understudy} and {@code README.md}; tests run in the folder of their module. */
    static Path root() {
        return Path.of("..").toAbsolutePath().normalize();
    }
}
