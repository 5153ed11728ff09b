package dev.understudy.agent.weave;

import net.bytebuddy.jar.asm.Opcodes;

/**
 * Which methods get a place-holder.
 *
 * <p>Left out are class initialisers, synthetic methods but the bodies of lambda expressions, bridge methods, and
 * methods the JIT would treat differently once woven: the trivial ones (at most six bytes, always inlined) and those
 * near or above the 8000 bytes from which on HotSpot doesn't compile. Apart from {@link Weaving}, since whoever asks
 * mostly does without it and what it needs. For any threads.
 */
final class WantedMethods {
    /** HotSpot's MaxTrivialSize. */
    static final int TRIVIAL_BYTES = 6;
    /** Under HotSpot's HugeMethodLimit by what a place-holder with many returns adds. */
    static final int NEARLY_HUGE_BYTES = 7500;

    static final int HUGE_BYTES = 8000;
    static final int LARGEST_BYTES = 60_000;

    private static final int LEFT_OUT =
            Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE;

    /** Methods that share no name with others, for those who read of them. */
    static final int NAMELESS = LEFT_OUT & ~Opcodes.ACC_ABSTRACT;

    private WantedMethods() {}

    /** Whether one with so many bytes of code gets a place-holder, unless it is a constructor that doesn't. */
    static boolean include(int access, String name, int bytes) {
        return ((access & LEFT_OUT) == 0 || isLambda(access, name))
                && !name.equals("<clinit>")
                && bytes > TRIVIAL_BYTES
                && (bytes < NEARLY_HUGE_BYTES || (bytes > HUGE_BYTES && bytes < LARGEST_BYTES));
    }

    /**
     * As compilers name what stands in a lambda expression: Java's and Kotlin's, and Scala's without the adapters of
     * its types.
     */
    private static boolean isLambda(int access, String name) {
        return (access & LEFT_OUT) == Opcodes.ACC_SYNTHETIC
                && (name.contains("lambda$") || (name.startsWith("$anonfun$") && !name.endsWith("$adapted")));
    }
}
