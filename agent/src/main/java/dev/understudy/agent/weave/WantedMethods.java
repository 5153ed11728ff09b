package dev.understudy.agent.weave;

import net.bytebuddy.jar.asm.Opcodes;

/**
 * Which methods get a place-holder.
 *
 * <p>Left out are class initialisers, synthetic methods but the bodies of lambda expressions, bridge methods, and
 * the trivial methods, which the JIT would treat differently once woven (at most six bytes, always inlined); {@link
 * WovenLength} decides about large ones. Apart from {@link Weaving}, since whoever asks mostly does without it and what
 * it needs. For any threads.
 */
public final class WantedMethods {
    /** HotSpot's MaxTrivialSize. */
    static final int TRIVIAL_BYTES = 6;

    private static final int LEFT_OUT =
            Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE;

    /** Methods that share no name with others, for those who read of them. */
    static final int NAMELESS = LEFT_OUT & ~Opcodes.ACC_ABSTRACT;

    private WantedMethods() {}

    /** Whether one with so many bytes of code gets a place-holder, as far as that doesn't depend on what is in it. */
    public static boolean include(int access, String name, int bytes) {
        return ((access & LEFT_OUT) == 0 || isLambda(access, name))
                && !name.equals("<clinit>")
                && bytes > TRIVIAL_BYTES;
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
